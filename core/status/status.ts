import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import type { Starts } from '../fleet/start.ts';
import { deliveryOf } from '../jobs/delivery-key.ts';
import { type FindPorts, find } from '../jobs/find.ts';
import type { Job, JobKey } from '../jobs/job.ts';
import { bodyOf } from '../jobs/record.ts';
import type { Objects, Payloads } from '../jobs/store.ts';
import { type JsonText, jsonPieces } from '../json.ts';
import type { Arrivals } from '../ledger/store.ts';
import { parseFlag, type QueryValue } from '../validation.ts';
import { notAttempted } from '../webhooks/delivery.ts';
import type { Deliveries } from '../webhooks/store.ts';
import type { Workers } from '../workers/lease.ts';
import { parseTtl, shorten } from './retention.ts';
import { timelineOf } from './timeline.ts';
import { placeOf } from './waiting.ts';

export interface StatusRequest extends JobKey {
  /** The query parameter `ttl`, unparsed: the maximum retention of the result, in milliseconds. */
  readonly ttl?: QueryValue;
  /** The query parameter `timeline`, unparsed: whether the record has the stages of the job's wait. */
  readonly timeline?: QueryValue;
}

export interface JobRecordPorts {
  readonly arrivals: Arrivals;
  readonly clock: Clock;
  readonly deliveries: Deliveries;
  readonly endpoints: Endpoints;
  readonly objects: Objects;
  readonly payloads: Payloads;
  readonly workers: Workers;
}

/**
 * Reads a job.
 *
 * Input: endpoint, job id, ttl, timeline. Output: the job record as JSON text.
 *  1. Refuse a malformed ttl or timeline, an unknown endpoint, an unknown job, and a job whose result has expired.
 *  2. With a ttl, shorten the retention of the result.
 *  3. Return the job with its current status; while it waits, with its position in the queue and the reason.
 *  4. With a timeline, add the stages of the job's wait. Only then read the start of a worker.
 */
export async function status(
  ports: FindPorts & JobRecordPorts & { readonly starts: Starts },
  { ttl, timeline, ...key }: StatusRequest,
): Promise<JsonText> {
  const milliseconds = parseTtl(ttl);
  const hasTimeline = parseFlag(timeline, 'timeline');
  const { job, endpoint } = await (milliseconds === undefined ? find(ports, key) : shorten(ports, key, milliseconds));
  return recordOf(ports, job, endpoint, hasTimeline ? (delay) => timelineOf(ports, job, delay, endpoint) : undefined);
}

/**
 * Returns the member `webhook` of a job record: the state of the delivery. Reads nothing for a job that has not
 * ended.
 */
async function webhookOf({ deliveries }: { readonly deliveries: Deliveries }, job: Job): Promise<string | undefined> {
  const key = deliveryOf(job);
  if (job.webhook === undefined || ('finishedAt' in job && !key)) return undefined;
  const delivery = (key && (await deliveries.read(key, 'lately'))) ?? notAttempted;
  const { state, attempts, lastStatus, lastError } = delivery;
  return JSON.stringify({ state, attempts, lastStatus, lastError });
}

/**
 * Returns the job record of `/status`.
 * @param endpoint as just read. @default - read if the job waits
 * @param timeline returns the member `timeline` for the job's delay time. @default - the record has none
 */
export async function recordOf(
  ports: JobRecordPorts,
  job: Job,
  endpoint?: Endpoint,
  timeline?: (delayTime: number) => Promise<string>,
): Promise<JsonText> {
  const body = await bodyOf(ports, job);
  const place =
    job.status === 'IN_QUEUE' ? await placeOf(ports, endpoint ?? (await deployed(ports, job.endpoint)), job) : {};
  const stages = await timeline?.(Number(body.delayTime));
  return jsonPieces({ ...body, ...place, webhook: await webhookOf(ports, job), timeline: stages });
}
