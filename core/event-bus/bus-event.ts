/**
 * The events that the service sends to EventBridge. Their details are as recorded in
 * `docs/reference/eventbridge.schema.json`.
 */
import { createHash } from 'node:crypto';
import { stageNames, startStagesOf } from '../fleet/stages.ts';
import type { EndedWorker } from '../history/ended-worker.ts';
import type { EndpointEvent, EventCaller } from '../history/event.ts';
import { isoTime } from '../requests/time.ts';

/** Source of all events. */
export const EVENT_SOURCE = 'gpu-endpoints';

/** What an event is about. */
export type DetailType =
  | 'Endpoint Condition Changed'
  | 'Endpoint Release Changed'
  | 'Endpoint Worker Failed'
  | 'Endpoint Budget Changed';

/** Members of every detail. Times are ISO 8601. */
interface CommonDetail {
  /** Equal in all deliveries of the event: an event can arrive several times. */
  readonly id: string;
  readonly deployment: string;
  readonly endpoint: string;
  readonly at: string;
}

export type Detail = CommonDetail & Readonly<Record<string, unknown>>;

export interface BusEvent {
  readonly type: DetailType;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly detail: Detail;
}

/** Sends events. */
export interface EventBus {
  /**
   * Sends the events in order. An event can arrive several times if the call fails.
   * @throws if any event was not accepted
   */
  put(events: readonly BusEvent[]): Promise<void>;
}

const ID_DIGITS = 16;

/** Names the deployment of the events. */
export type EventPlace = Pick<CommonDetail, 'deployment' | 'endpoint'>;

function eventOf(
  type: DetailType,
  place: EventPlace,
  at: number,
  members: Readonly<Record<string, unknown>>,
): BusEvent {
  const identity = JSON.stringify([
    type,
    place.deployment,
    place.endpoint,
    at,
    members.worker,
    members.key,
    members.to,
  ]);
  const id = createHash('sha256').update(identity).digest('hex').slice(0, ID_DIGITS);
  const known = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
  return { type, at, detail: { id, ...place, at: isoTime(at), ...known } };
}

/** Returns the event of a row of the history, or undefined if rows of its kind are not sent. */
export function busEventOf(place: EventPlace, row: EndpointEvent): BusEvent | undefined {
  const { kind, at, from, to, detail: message, key } = row;
  if (kind === 'CONDITION') return eventOf('Endpoint Condition Changed', place, at, { from, to, message });
  if (kind === 'BUDGET') return eventOf('Endpoint Budget Changed', place, at, { from, to, key, message });
  return undefined;
}

/**
 * Returns the event of the begin or the end of a release.
 * @param row an event of the kind `RELEASE`
 * @param by who changed the template that is released, if known
 */
export function busEventOfRelease(place: EventPlace, row: EndpointEvent, by: EventCaller | undefined): BusEvent {
  const { at, from, to, revision, template, version, detail: message } = row;
  const caller = by && { kind: by.kind, id: by.id, name: by.name };
  return eventOf('Endpoint Release Changed', place, at, { from, to, revision, template, version, by: caller, message });
}

/** Stages of a worker that fails: those of its start, or `READY` after it has asked for a job. */
export const failureStages = [...stageNames.filter((stage) => stage !== 'TAKE'), 'READY'] as const;

/**
 * Returns whether the worker failed. A worker that the service or a user no longer wanted has not, and neither has one
 * whose Spot instance ended.
 */
function hasFailed({ stopCode, exitCode, reason = '' }: EndedWorker): boolean {
  if (/health ?checks?/i.test(reason)) return true;
  return stopCode === 'TaskFailedToStart' || (stopCode === 'EssentialContainerExited' && exitCode !== 0);
}

function stageOf(worker: EndedWorker): (typeof failureStages)[number] {
  if (worker.readyAt !== undefined) return 'READY';
  const stage = startStagesOf(worker, worker.endedAt).at(-1)?.stage;
  return stage === undefined || stage === 'TAKE' ? 'QUEUED' : stage;
}

/** Returns the event of a worker that failed, or undefined if it has not failed. */
export function busEventOfWorker(place: EventPlace, row: EndedWorker): BusEvent | undefined {
  if (!hasFailed(row)) return undefined;
  const { worker, revision, capacity, stopCode, reason, container, exitCode, endedAt } = row;
  const facts = { worker, revision, capacity, stage: stageOf(row), stopCode, reason, container, exitCode };
  return eventOf('Endpoint Worker Failed', place, endedAt, facts);
}
