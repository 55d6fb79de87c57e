import type { Clock } from '../clock.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { finalize } from '../jobs/ending.ts';
import type { RunningJob } from '../jobs/job.ts';
import { type JobMessage, type JobQueues, sendMessage } from '../jobs/queues.ts';
import type { Jobs } from '../jobs/store.ts';
import { LEASE, PERMIT, SECOND } from '../limits.ts';
import { holdsJob, isAlive, type Workers } from './lease.ts';
import { rescue } from './rescue.ts';

/** The job is this worker's; or the message is stale; or the message is to be received again in `hidden` ms. */
export type Taken =
  | { readonly outcome: 'taken'; readonly job: RunningJob }
  | { readonly outcome: 'stale' }
  | { readonly outcome: 'held'; readonly hidden: number };

type TakePorts = {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly jobQueues: JobQueues;
  readonly jobs: Jobs;
  readonly workers: Workers;
};

/**
 * Takes the job that a message names.
 *
 * Input: worker, message. Output: the job, or what to do with the message.
 *  1. Move it to this worker in one conditional write; of several workers one wins.
 *  2. If that took so long that a purge may have answered meanwhile, read the endpoint again, and give up a purged job.
 *  3. Store the end of a job that is over by the clock: the message is stale only if the job has ended for good.
 *  4. A job that this worker holds already is its own: the response to an earlier attempt was lost.
 *  5. A job that another living worker holds stays with it.
 *  6. Rescue a job whose worker is lost, or does not know the job; then begin again. The rescue sends a new message,
 *     because another worker may have received this one.
 */
export async function take(ports: TakePorts, worker: string, message: JobMessage): Promise<Taken> {
  const askedAt = ports.clock.now();
  const endpoint = await deployed(ports, message.endpoint);
  const facts = { $now: ports.clock.now(), $worker: worker, $generation: endpoint.generation };
  const { moved, job: stored } = await ports.jobs.move('take', { endpoint: message.endpoint, id: message.job }, facts);
  const job = stored && (await finalize(ports, stored, endpoint));
  if (job?.status === 'IN_QUEUE') return { outcome: 'held', hidden: SECOND };
  if (job?.status !== 'IN_PROGRESS') return { outcome: 'stale' };
  if (moved && ports.clock.now() - askedAt > PERMIT && (await isPurged(ports, job))) {
    await rescue(ports, job, 0, job.generation);
    return { outcome: 'stale' };
  }
  if (job.worker === worker) return { outcome: 'taken', job };

  const lease = await ports.workers.read(job.endpoint, job.worker);
  // A message for an attempt that still runs comes from a worker that is about to requeue the job.
  const soon = message.attempt === job.attempt;
  const isHeld = lease !== undefined && isAlive(lease, ports.clock.now()) && holdsJob(lease, job);
  if (isHeld) return { outcome: 'held', hidden: soon ? SECOND : LEASE };
  // Read now: a job that joins an older generation would be purged.
  const generation = (await ports.endpoints.readNow(job.endpoint))?.generation ?? endpoint.generation;
  await sendMessage(ports, endpoint, job, { generation });
  await rescue(ports, job, Math.min(lease?.endsAt ?? 0, ports.clock.now() - 1), generation);
  return take(ports, worker, message);
}

async function isPurged({ endpoints }: { readonly endpoints: Endpoints }, job: RunningJob): Promise<boolean> {
  const endpoint = await endpoints.readNow(job.endpoint);
  return endpoint !== undefined && job.generation < endpoint.generation;
}
