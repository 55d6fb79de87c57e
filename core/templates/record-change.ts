/** Adds changes of templates by callers to the history of the endpoints that run them. */
import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { cut } from '../history/fingerprint.ts';
import { EVENTS_AT_ONCE, historyLimits } from '../history/limits.ts';
import { type EventPorts, eventCallerOf } from '../history/record-event.ts';
import type { Change } from './drift.ts';
import { declaredFields, type Template } from './template.ts';

interface RecordedChange extends Omit<Change, 'reason'> {
  readonly from: Template;
  readonly to: Template;
  readonly reason?: string | undefined;
}

/** Stores the names of the fields that changed, without their values, which can be secret. */
export async function recordChange(
  { eventHistory }: EventPorts,
  { from, to, by, at, reason }: RecordedChange,
  endpoints: readonly string[],
): Promise<void> {
  const event = {
    kind: 'TEMPLATE',
    at,
    template: to.id,
    version: to.version,
    fields: declaredFields.filter((field) => !isDeepStrictEqual(from[field], to[field])),
    by: eventCallerOf(by),
    ...(reason !== undefined && { detail: cut(reason, historyLimits.eventDetail) }),
  } as const;
  await pLimit(EVENTS_AT_ONCE).map(endpoints, (endpoint) => eventHistory.add({ ...event, endpoint }));
}
