/** Lists what changed on an endpoint: the events of the history, and its releases. */

import type { Clock } from '../clock.ts';
import type { ReleaseRecord } from '../endpoints/release-summary.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { MINUTE } from '../limits.ts';
import type { ReleaseHistory } from '../releases/history.ts';
import { cursorOf, positionIn } from '../requests/cursor.ts';
import { isoTime } from '../requests/time.ts';
import { oneOrMoreOf, pageLimit, type QueryValue, validate } from '../requests/validation.ts';
import { type EndpointEvent, eventKinds } from './event.ts';
import { historyLimits } from './limits.ts';
import { type HistoryTimes, timesOf } from './request.ts';
import { type EventHistory, type HistoryPosition, POSITION, positionAt, positionOfEvent, timeOf } from './store.ts';

export interface ListEventsRequest extends HistoryTimes {
  readonly endpoint: string;
  /** One or more of `eventKinds`, separated by commas. */
  readonly kind?: QueryValue | undefined;
  readonly limit?: QueryValue | undefined;
  readonly cursor?: QueryValue | undefined;
}

/** An event as responses show it, with its time in ISO 8601. */
export interface EventSummary extends Omit<EndpointEvent, 'endpoint' | 'at'> {
  readonly at: string;
}

export interface EventList {
  readonly events: readonly EventSummary[];
  readonly readTo: string;
  readonly nextCursor?: string;
}

interface EventPart {
  readonly events: readonly EndpointEvent[];
  readonly reached?: HistoryPosition | undefined;
}

/** Events between two positions. */
interface EventRange {
  readonly endpoint: string;
  readonly after: HistoryPosition;
  readonly before: HistoryPosition;
}

const kindsSchema = oneOrMoreOf(eventKinds);

/** A release follows a change of its template within this time. */
const RELEASED_WITHIN = 10 * MINUTE;

/**
 * Returns the events with the caller of each release that began because of a change of its template. A release without a
 * change shortly before follows a deployment or a repetition, and has no caller.
 */
function withCallers(events: readonly EndpointEvent[]): EndpointEvent[] {
  const changes = events.filter(({ kind }) => kind === 'TEMPLATE');
  return events.map((event) => {
    if (event.kind !== 'RELEASE' || event.to !== 'IN_PROGRESS') return event;
    const change = changes.find(
      ({ template, version, at }) =>
        template === event.template && version === event.version && event.at >= at && event.at - at <= RELEASED_WITHIN,
    );
    return change?.by ? { ...event, by: change.by } : event;
  });
}

/** Returns the begin of a release, and its end if it has ended. */
export function eventsOfRelease(
  endpoint: string,
  { state, revision, template, version, startedAt, endedAt, reason }: ReleaseRecord,
): EndpointEvent[] {
  const release = { endpoint, kind: 'RELEASE', revision, template, version } as const;
  const end = { from: 'IN_PROGRESS', to: state, ...(reason !== undefined && { detail: reason }) };
  return [
    { ...release, at: startedAt, to: 'IN_PROGRESS' },
    ...(endedAt !== undefined && state !== 'IN_PROGRESS' ? [{ ...release, at: endedAt, ...end }] : []),
  ];
}

/** Reads the releases of the range, newest first: a release ends before the next one begins. */
async function releasesIn(
  history: Pick<ReleaseHistory, 'list'>,
  { endpoint, after, before }: EventRange,
): Promise<EventPart> {
  const events: EndpointEvent[] = [];
  let read = 0;
  for await (const { record } of history.list(endpoint)) {
    events.push(...eventsOfRelease(endpoint, record));
    read += 1;
    const begin = positionAt(record.startedAt);
    if (begin < after) break;
    if (read === historyLimits.read) return { events, reached: begin < before ? begin : before };
  }
  return { events };
}

/** Reads the rows of the range, newest first. A release has no row. */
async function rowsIn(eventHistory: Pick<EventHistory, 'read'>, range: EventRange, max: number): Promise<EventPart> {
  const { rows, reached } = await eventHistory.read({ ...range, isOldestFirst: false, max });
  return { events: rows, reached };
}

/**
 * Lists the events of an endpoint, newest first.
 *
 * Input: endpoint, times, kinds, limit, cursor. Output: a page, the time up to which all events are listed, and a cursor
 * if older ones follow.
 * @throws EndpointNotFound, InvalidRequest
 */
export async function listEvents(
  ports: {
    readonly clock: Clock;
    readonly endpoints: Endpoints;
    readonly eventHistory: Pick<EventHistory, 'read'>;
    readonly history: Pick<ReleaseHistory, 'list'>;
  },
  request: ListEventsRequest,
): Promise<EventList> {
  const max = pageLimit(request.limit, historyLimits.page);
  const kinds = request.kind === undefined ? eventKinds : validate(kindsSchema, request.kind, 'kind');
  const { from, to } = timesOf(request, ports.clock.now());
  const { id } = await deployed(ports, request.endpoint);
  const list = `events of ${id}`;
  const cursor = request.cursor === undefined ? undefined : positionIn(list, request.cursor, POSITION);
  const range = { endpoint: id, after: positionAt(from), before: cursor ?? positionAt(to + 1) };
  const parts = await Promise.all([
    // Releases at the begin of the range have their change before it.
    rowsIn(
      ports.eventHistory,
      { ...range, after: positionAt(Math.max(0, from - RELEASED_WITHIN)) },
      historyLimits.read,
    ),
    kinds.includes('RELEASE') ? releasesIn(ports.history, range) : { events: [] },
  ]);
  // Events are complete up to where both parts have been read.
  const reached =
    parts
      .map((part: EventPart) => part.reached ?? range.after)
      .toSorted()
      .at(-1) ?? range.after;
  const found = withCallers(parts.flatMap(({ events }) => events))
    .map((event) => ({ event, position: positionOfEvent(event) }))
    .filter(({ event, position }) => position >= reached && position < range.before && kinds.includes(event.kind))
    .sort((one, other) => (one.position < other.position ? 1 : -1));
  const page = found.slice(0, max);
  const last = found.length > max ? page.at(-1)?.position : reached;
  const isAll = last === undefined || last === range.after;
  return {
    events: page.map(({ event: { endpoint: _, at, ...event } }) => ({ ...event, at: isoTime(at) })),
    readTo: isoTime(isAll ? from : timeOf(last)),
    ...(!isAll && { nextCursor: cursorOf(list, last) }),
  };
}
