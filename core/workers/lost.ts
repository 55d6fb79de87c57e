import type { Clock } from '../clock.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { type JobQueues, sendMessage } from '../jobs/queues.ts';
import type { Jobs } from '../jobs/store.ts';
import type { Lease, Workers } from './lease.ts';
import { rescue } from './rescue.ts';

export type LostPorts = {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly jobQueues: JobQueues;
  readonly jobs: Jobs;
  readonly workers: Workers;
};

/**
 * Requeues the jobs of a lost worker.
 *
 * Input: the worker's lease, and when the worker stopped, if it is known to have. Output: number of requeued jobs.
 *  1. For each job that the worker still holds, send its message, then requeue it. In this order, a crash in
 *     between does no harm, because the receiver of the message also requeues the job. In the reverse order, a job
 *     without a message could wait forever.
 *  2. Remove the lease, unless the worker has renewed it. If it was renewed, the worker is alive, but can no longer
 *     write to these jobs.
 */
export async function requeueJobsOf(ports: LostPorts, lease: Lease, stoppedAt?: number): Promise<number> {
  let back = 0;
  for (const id of lease.jobs) if (await requeueJob(ports, id, lease, stoppedAt)) back += 1;
  await ports.workers.forget(lease);
  return back;
}

async function requeueJob(
  ports: LostPorts,
  id: string,
  { endpoint: name, worker, endsAt }: Lease,
  stoppedAt: number | undefined,
): Promise<boolean> {
  const job = await ports.jobs.read({ endpoint: name, id });
  if (job?.status !== 'IN_PROGRESS' || job.worker !== worker) return false;
  // The worker is alive, because it took the job under a later lease.
  if (job.startedAt > endsAt) return false;
  // Read the current generation for each job, because a worker can have many, and a job with an older generation would
  // be purged.
  const endpoint = await ports.endpoints.readNow(name);
  if (!endpoint) return false;
  // The lease of a stopped worker has ended, even if the stored end is later.
  const leaseEnds = Math.min(endsAt, stoppedAt ?? endsAt);
  const reason = stoppedAt === undefined ? 'WORKER_LOST' : 'WORKER_STOPPED';
  await sendMessage(ports, endpoint, job, { generation: endpoint.generation });
  return rescue(ports, job, leaseEnds, endpoint.generation, reason);
}
