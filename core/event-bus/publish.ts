/** Sends what has happened on endpoints to EventBridge, once a minute, from what is stored of it. */
import type { Clock } from '../clock.ts';
import { type EndpointErrors, forEachEndpoint } from '../endpoints/each.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { EndpointEvent } from '../history/event.ts';
import { eventsOfRelease } from '../history/list-events.ts';
import { type EventHistory, positionAt, timeOf, type WorkerHistory } from '../history/store.ts';
import { MINUTE } from '../limits.ts';
import type { ReleaseHistory } from '../releases/history.ts';
import { type BusEvent, busEventOf, busEventOfRelease, busEventOfWorker, type EventBus } from './bus-event.ts';

/** Rows can be stored so long after what they describe: events of ECS arrive late. Later ones are not sent. */
export const LATE = 15 * MINUTE;

/** Maximum rows of each kind, and releases, that are read of an endpoint in one minute. */
const MAX_ROWS = 5_000;
const MAX_RELEASES = 20;

/** Endpoints whose events are sent at the same time. */
const AT_ONCE = 10;

/** What was sent of an endpoint. */
export interface Published {
  /** Time of the last call that sent events. */
  readonly to: number;
  /** Ids of the sent events that happened within `LATE` before this time. */
  readonly sent: readonly string[];
}

export interface PublishedMarks {
  /** Returns what was sent, or undefined if nothing was yet. */
  read(endpoint: string): Promise<Published | undefined>;
  save(endpoint: string, published: Published): Promise<void>;
}

export type PublishPorts = {
  readonly clock: Clock;
  readonly eventBus: EventBus;
  readonly eventHistory: Pick<EventHistory, 'read'>;
  readonly publishedMarks: PublishedMarks;
  /** The history of releases. */
  readonly history: Pick<ReleaseHistory, 'list'>;
  readonly workerHistory: Pick<WorkerHistory, 'read'>;
  /** Name of the deployment. */
  readonly deployment: string;
};

/** Returns the begins and ends of the newest releases since a time. */
async function releaseEventsOf(
  { history }: PublishPorts,
  endpoint: string,
  since: number,
): Promise<readonly EndpointEvent[]> {
  const events: EndpointEvent[] = [];
  let read = 0;
  for await (const { record } of history.list(endpoint)) {
    events.push(...eventsOfRelease(endpoint, record));
    read += 1;
    if (read === MAX_RELEASES || record.startedAt < since) break;
  }
  return events.filter(({ at }) => at >= since);
}

/** Returns who last changed the template to the version that is released. */
function callerOf(rows: readonly EndpointEvent[], { template, version }: EndpointEvent) {
  return rows.findLast((row) => row.kind === 'TEMPLATE' && row.template === template && row.version === version)?.by;
}

/** Returns what has happened on the endpoint since a time, oldest first, and the time up to which rows were read. */
async function eventsSince(
  ports: PublishPorts,
  endpoint: string,
  since: number,
): Promise<{ readonly events: readonly BusEvent[]; readonly readTo: number }> {
  const now = ports.clock.now();
  const place = { deployment: ports.deployment, endpoint };
  const range = {
    ...{ endpoint, after: positionAt(since), before: positionAt(now + 1) },
    ...{ isOldestFirst: true, max: MAX_ROWS },
  };
  const [{ rows, reached }, workers, releases] = await Promise.all([
    ports.eventHistory.read(range),
    ports.workerHistory.read(range),
    releaseEventsOf(ports, endpoint, since),
  ]);
  const events = [
    ...rows.map((row) => busEventOf(place, row)),
    ...workers.rows.map((row) => busEventOfWorker(place, row)),
    ...releases.map((release) => busEventOfRelease(place, release, callerOf(rows, release))),
  ];
  const readTo = Math.min(now, ...[reached, workers.reached].flatMap((at) => (at === undefined ? [] : timeOf(at))));
  return { events: events.filter((event) => event !== undefined).sort((one, other) => one.at - other.at), readTo };
}

async function publishOne(ports: PublishPorts, { id }: Endpoint): Promise<void> {
  const now = ports.clock.now();
  const before = (await ports.publishedMarks.read(id)) ?? { to: now, sent: [] };
  const sent = new Set(before.sent);
  const { events, readTo } = await eventsSince(ports, id, before.to - LATE);
  const news = events.filter(({ detail }) => !sent.has(detail.id));
  if (news.length === 0) return;
  await ports.eventBus.put(news);
  const to = Math.min(now, readTo + LATE);
  const recent = events.filter(({ at }) => at >= to - LATE).map(({ detail }) => detail.id);
  await ports.publishedMarks.save(id, { to, sent: recent });
}

/**
 * Sends the events of the endpoints. An endpoint that fails does not stop the others.
 *
 * Input: the endpoints. Output: errors by endpoint.
 *  1. Read the events, stopped workers and releases of each endpoint since the last sent ones, and a while before.
 *  2. Send those that were not sent, in one call for ten.
 *  3. Store their ids. If the process stops before, the next call sends them again, with the same ids.
 */
export const publishEvents = (ports: PublishPorts, endpoints: readonly Endpoint[]): Promise<EndpointErrors> =>
  forEachEndpoint(endpoints, AT_ONCE, (endpoint) => publishOne(ports, endpoint));
