/** Adds events of endpoints to the history. */
import { type Condition, conditionKinds, type FleetState, lastFailure } from '../endpoints/fleet-state.ts';
import type { EndpointEvent, EventCaller } from './event.ts';
import { cut } from './fingerprint.ts';
import { historyLimits } from './limits.ts';
import type { EventHistory } from './store.ts';

export interface EventPorts {
  readonly eventHistory: Pick<EventHistory, 'add'>;
}

const isBlocker = (condition: Condition | undefined) => condition !== undefined && condition.is !== 'STARTING';

function detailOf({ is, words }: Condition): string {
  return cut(conditionKinds[is].message(words), historyLimits.eventDetail);
}

/**
 * Returns the events of a change of an endpoint's fleet state: another condition, and the begin or end of its back-off.
 * A worker that starts without an earlier blocker is no event, because the history of workers has its start.
 */
export function eventsOfFleet(endpoint: string, before: FleetState, after: FleetState, at: number): EndpointEvent[] {
  const [from, to] = [before.condition, after.condition];
  const isOther = from?.is !== to?.is && (isBlocker(from) || isBlocker(to));
  const isBackOff = (before.backOff === undefined) !== (after.backOff === undefined);
  const failure = lastFailure(after);
  return [
    ...(isOther
      ? [{ endpoint, kind: 'CONDITION' as const, at, from: from?.is, to: to?.is, ...(to && { detail: detailOf(to) }) }]
      : []),
    ...(isBackOff
      ? [
          {
            endpoint,
            kind: 'BACK_OFF' as const,
            at,
            to: after.backOff ? 'ON' : 'OFF',
            ...(after.backOff && failure !== undefined && { detail: cut(failure, historyLimits.eventDetail) }),
          },
        ]
      : []),
  ];
}

/** Returns a caller whose name fits into a row. */
export const eventCallerOf = ({ kind, id, name }: EventCaller): EventCaller => ({
  kind,
  id,
  name: cut(name, historyLimits.callerName),
});
