import type { Endpoint } from '../endpoints/endpoint.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import type { Starts } from '../fleet/start.ts';
import { deliveryOf, isPurged } from '../jobs/delivery-key.ts';
import { type FindPorts, type Found, foundFrom, isIssued } from '../jobs/find.ts';
import type { Job, JobKey } from '../jobs/job.ts';
import { bodyOf, type RecordPorts } from '../jobs/record.ts';
import { type JsonText, jsonPieces } from '../json/json.ts';
import type { Arrivals } from '../ledger/store.ts';
import { parseFlag, type QueryValue } from '../requests/validation.ts';
import { type Delivery, notAttempted, notSent } from '../webhooks/delivery.ts';
import type { Deliveries } from '../webhooks/store.ts';
import type { Workers } from '../workers/lease.ts';
import { parseTtl, shorten } from './retention.ts';
import { timelineOf } from './timeline.ts';
import { placeOf } from './waiting.ts';

export interface StatusRequest extends JobKey {
  /** The query parameter `ttl`, unparsed: the maximum retention of the result, in milliseconds. */
  readonly ttl?: QueryValue | undefined;
  /** The query parameter `timeline`, unparsed: whether the record has the stages of the job's wait. */
  readonly timeline?: QueryValue | undefined;
}

/** A job as it was just read. */
export interface Polled {
  readonly job: Job | undefined;
  /** The delivery of one of the job's completions, if it was read in the same call. It can be a second old. */
  readonly delivery?: { readonly completion: number; readonly found: Delivery | undefined };
}

export interface PolledJobs {
  /** Reads a job, strongly consistent. Also reads its delivery if this probably saves a call. */
  read(key: JobKey): Promise<Polled>;
}

export type JobRecordPorts = RecordPorts & {
  readonly arrivals: Arrivals;
  readonly deliveries: Deliveries;
  readonly endpoints: Endpoints;
  readonly workers: Workers;
};

export type StatusPorts = FindPorts & JobRecordPorts & { readonly polledJobs: PolledJobs; readonly starts: Starts };

/**
 * Reads a job.
 *
 * Input: endpoint, job id, ttl, timeline. Output: the job record as JSON text.
 *  1. Refuse a malformed ttl or timeline, an unknown endpoint, an unknown job, and a job whose result has expired.
 *  2. With a ttl, shorten the retention of the result.
 *  3. Return the job with its current status; while it waits, with its position in the queue and the reason.
 *  4. With a timeline, add the stages of the job's wait. Only then read the start of a worker.
 */
export async function status(ports: StatusPorts, { ttl, timeline, ...key }: StatusRequest): Promise<JsonText> {
  const milliseconds = parseTtl(ttl);
  const hasTimeline = parseFlag(timeline, 'timeline');
  const found = await (milliseconds === undefined ? poll(ports, key) : shorten(ports, key, milliseconds));
  const { job, endpoint } = found;
  const stages = hasTimeline ? (delay: number) => timelineOf(ports, job, delay, endpoint) : undefined;
  return recordOf(ports, job, { ...found, timeline: stages });
}

/** Does the same as `find`, and also returns the delivery if it was read with the job. */
async function poll(ports: StatusPorts, key: JobKey): Promise<Found & Pick<Polled, 'delivery'>> {
  const { job, ...more } = isIssued(key) ? await ports.polledJobs.read(key) : { job: undefined };
  return { ...more, ...(await foundFrom(ports, key, job)) };
}

/**
 * Returns the member `webhook` of a job record: the state of the delivery. Reads nothing for a job that has not
 * ended, or if the delivery was read with the job.
 */
async function webhookOf(
  { deliveries }: { readonly deliveries: Deliveries },
  job: Job,
  polled: Polled['delivery'],
): Promise<string | undefined> {
  if (job.webhook === undefined) return undefined;
  if (isPurged(job)) return JSON.stringify(notSent);
  const key = deliveryOf(job);
  const isRead = key?.completion === polled?.completion;
  const delivery = (isRead ? polled?.found : key && (await deliveries.read(key, 'lately'))) ?? notAttempted;
  const { state, attempts, lastStatus, lastError } = delivery;
  return JSON.stringify({ state, attempts, lastStatus, lastError });
}

interface Known extends Pick<Polled, 'delivery'> {
  /**
   * The endpoint as just read.
   * @default - read if the job waits
   */
  readonly endpoint?: Endpoint | undefined;
  /**
   * Returns the member `timeline` for the job's delay time.
   * @default - the record has none
   */
  readonly timeline?: ((delayTime: number) => Promise<string>) | undefined;
}

/** Returns the job record of `/status`. */
export async function recordOf(
  ports: JobRecordPorts,
  job: Job,
  { endpoint, timeline, delivery }: Known = {},
): Promise<JsonText> {
  const body = await bodyOf(ports, job);
  const place =
    job.status === 'IN_QUEUE' ? await placeOf(ports, endpoint ?? (await deployed(ports, job.endpoint)), job) : {};
  const stages = await timeline?.(Number(body.delayTime));
  return jsonPieces({ ...body, ...place, webhook: await webhookOf(ports, job, delivery), timeline: stages });
}
