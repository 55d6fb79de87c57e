import type { Clock } from '../clock.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { settle } from '../jobs/find.ts';
import type { RunningJob } from '../jobs/job.ts';
import { type JobMessage, type JobQueues, messageOf, queueOf } from '../jobs/queues.ts';
import type { Jobs } from '../jobs/store.ts';
import { LEASE, PERMIT, SECOND } from '../limits.ts';
import { holdsJob, isAlive, type Workers } from './lease.ts';
import { rescue } from './rescue.ts';

/** The job is this worker's; or the message is of no more use; or it shall be looked at again in `hidden` ms. */
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
 *  2. If that took so long that a purge may have answered meanwhile, look again, and give a purged job up.
 *  3. Store the end of a job that is over by the clock: only of one that has ended for good the message is of no more
 *     use.
 *  4. A job that this worker holds already is its own: the answer to an earlier try was lost.
 *  5. A job that another living worker holds is left to it.
 *  6. A job whose worker is lost, or does not know of it, goes back to the queue, or is given up after its last
 *     attempt; then look again. It goes back with a message of its own, because this one may have become another
 *     worker's.
 */
export async function take(ports: TakePorts, worker: string, message: JobMessage): Promise<Taken> {
  const askedAt = ports.clock.now();
  const endpoint = await deployed(ports, message.endpoint);
  const facts = { $now: ports.clock.now(), $worker: worker, $generation: endpoint.generation };
  const { moved, job: stored } = await ports.jobs.move('take', { endpoint: message.endpoint, id: message.job }, facts);
  const job = stored && (await settle(ports, stored, endpoint));
  if (job?.status === 'IN_QUEUE') return { outcome: 'held', hidden: SECOND };
  if (job?.status !== 'IN_PROGRESS') return { outcome: 'stale' };
  if (moved && ports.clock.now() - askedAt > PERMIT && (await isPurged(ports, job))) {
    await rescue(ports, job, 0, job.generation);
    return { outcome: 'stale' };
  }
  if (job.worker === worker) return { outcome: 'taken', job };

  const lease = await ports.workers.read(job.endpoint, job.worker);
  // A message for an attempt that still runs is of a worker that is just about to put the job back.
  const soon = message.attempt === job.attempt;
  const isHeld = lease !== undefined && isAlive(lease, ports.clock.now()) && holdsJob(lease, job);
  if (isHeld) return { outcome: 'held', hidden: soon ? SECOND : LEASE };
  // As it is now: a job that joins a generation that is over would be purged.
  const generation = (await ports.endpoints.readNow(job.endpoint))?.generation ?? endpoint.generation;
  await ports.jobQueues.send(queueOf(endpoint, job, generation), messageOf(job, generation));
  await rescue(ports, job, Math.min(lease?.endsAt ?? 0, ports.clock.now() - 1), generation);
  return take(ports, worker, message);
}

async function isPurged({ endpoints }: { readonly endpoints: Endpoints }, job: RunningJob): Promise<boolean> {
  const endpoint = await endpoints.readNow(job.endpoint);
  return endpoint !== undefined && job.generation < endpoint.generation;
}
