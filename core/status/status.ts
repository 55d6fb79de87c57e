import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { deliveryOf } from '../jobs/delivery-key.ts';
import { type FindPorts, find } from '../jobs/find.ts';
import type { Job, JobKey, QueuedJob } from '../jobs/job.ts';
import { permits } from '../jobs/machine.ts';
import { bodyOf, quoted } from '../jobs/record.ts';
import type { Moved, Objects, Payloads } from '../jobs/store.ts';
import { type JsonText, jsonPieces } from '../json.ts';
import type { Arrivals } from '../ledger/store.ts';
import { ttlLimits } from '../limits.ts';
import { milliseconds, parseQueryNumber, type QueryValue, validate } from '../validation.ts';
import { notAttempted } from '../webhooks/delivery.ts';
import type { Deliveries } from '../webhooks/store.ts';
import type { Workers } from '../workers/lease.ts';
import { waitOf } from './wait-reason.ts';

export interface StatusRequest extends JobKey {
  /** The query parameter `ttl`, as it came: for how many milliseconds the result shall be kept at most. */
  readonly ttl?: QueryValue;
}

/**
 * Reads a job.
 *
 * Input: endpoint, job id, ttl. Output: the job record as JSON text.
 *  1. Refuse a ttl that is none, an unknown endpoint, an unknown job, and one whose result has expired.
 *  2. With a ttl, let the result expire sooner.
 *  3. Answer what the job is by now, and while it waits where it stands and why.
 */
export async function status(ports: FindPorts & JobRecordPorts, { ttl, ...key }: StatusRequest): Promise<JsonText> {
  const milliseconds = parseTtl(ttl);
  const job = milliseconds === undefined ? (await find(ports, key)).job : await shorten(ports, key, milliseconds);
  return recordOf(ports, job);
}

export type JobRecordPorts = {
  readonly arrivals: Arrivals;
  readonly clock: Clock;
  readonly deliveries: Deliveries;
  readonly endpoints: Endpoints;
  readonly objects: Objects;
  readonly payloads: Payloads;
  readonly workers: Workers;
};

/** Where a job stands, and why it waits; of one that does not wait, nothing is read. */
async function placeOf(ports: JobRecordPorts, job: Job): Promise<Readonly<Record<string, string | undefined>>> {
  if (job.status !== 'IN_QUEUE') return {};
  const endpoint = await deployed(ports, job.endpoint);
  const [position, leases] = await Promise.all([
    queuePosition(ports, endpoint, job),
    ports.workers.listLately(job.endpoint),
  ]);
  const { waitReason, waitDetail } = waitOf(endpoint, leases, job, ports.clock.now());
  return { queuePosition: String(position), waitReason: quoted(waitReason), waitDetail: quoted(waitDetail) };
}

/** What has become of the job's webhook, if it has one: of a job that has not ended, nothing is read. */
async function webhookOf({ deliveries }: { readonly deliveries: Deliveries }, job: Job): Promise<string | undefined> {
  const key = deliveryOf(job);
  if (job.webhook === undefined || ('finishedAt' in job && !key)) return undefined;
  const delivery = (key && (await deliveries.read(key, 'lately'))) ?? notAttempted;
  const { state, attempts, lastStatus, lastError } = delivery;
  return JSON.stringify({ state, attempts, lastStatus, lastError });
}

export async function recordOf(ports: JobRecordPorts, job: Job): Promise<JsonText> {
  const [body, wait, webhook] = [await bodyOf(ports, job), await placeOf(ports, job), await webhookOf(ports, job)];
  return jsonPieces({ ...body, ...wait, webhook });
}

/** A job changes its state a few times in its life; each change can get in the way once. */
const TRIES = 5;

/**
 * The query parameter `ttl`, in milliseconds.
 * @throws InvalidRequest naming the value and the bounds
 */
export function parseTtl(value: QueryValue | undefined): number | undefined {
  return value === undefined ? undefined : validate(milliseconds(ttlLimits), parseQueryNumber(value), 'ttl');
}

/**
 * Lets the result of a job expire sooner than it would: `ttl` ms from now if the job has ended, otherwise `ttl` ms after
 * its end, and after that of each retry. One that would make it expire later changes nothing.
 * @returns the job as it is then
 * @throws as `find`
 */
export async function shorten(ports: FindPorts, key: JobKey, ttl: number): Promise<Job> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { job } = await find(ports, key);
    const move = limit(ports, job, ttl);
    if (!move) return job;
    const { moved, job: after } = await move;
    if (moved) return after;
  }
  throw new Error(`Job ${key.id} changed ${TRIES} times while its retention was being set.`);
}

/** @returns nothing if there is nothing to change */
function limit({ clock, jobs }: FindPorts, job: Job, ttl: number): Promise<Moved> | undefined {
  if ('finishedAt' in job) {
    const facts = { $finishedAt: job.finishedAt, $expiresAt: clock.now() + ttl };
    return permits('expireSooner', job, facts) ? jobs.move('expireSooner', job, facts) : undefined;
  }
  const facts = { $queuedAt: job.queuedAt, $retention: ttl };
  return permits('limitRetention', job, facts) ? jobs.move('limitRetention', job, facts) : undefined;
}

/**
 * About how many jobs wait ahead of one, and one more for itself: 1 is next. Those that came in the same 10 s do not count,
 * and what has changed in the last second or two may be missing. It is never more than the endpoint's jobs that wait.
 *
 * A job of low priority waits for all normal ones, and for those of its own that came before.
 */
export async function queuePosition(
  { arrivals }: { readonly arrivals: Arrivals },
  { counts }: Pick<Endpoint, 'counts'>,
  job: QueuedJob,
): Promise<number> {
  const low = Math.max(0, counts.lowInQueue);
  const normal = Math.max(0, counts.inQueue - low);
  const ofItsOwn = job.lowPriority ? low : normal;
  // Where it is alone nothing need be read.
  const ahead = ofItsOwn > 1 ? await arrivals.countBefore(job, job.queuedAt) : 0;
  return (job.lowPriority ? normal : 0) + Math.min(ahead, Math.max(0, ofItsOwn - 1)) + 1;
}
