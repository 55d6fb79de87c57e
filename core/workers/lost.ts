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
 * Input: the worker's lease, and its actual end, if that was earlier. Output: number of requeued jobs.
 *  1. For each job that the worker still holds, send its message, then requeue it. In this order, a crash in
 *     between does no harm, because the receiver of the message also requeues the job. In the reverse order, a job
 *     without a message could wait forever.
 *  2. Remove the lease, unless the worker has renewed it. If it was renewed, the worker is alive, but can no longer
 *     write to these jobs.
 */
export async function requeueJobsOf(ports: LostPorts, lease: Lease, leaseEnds = lease.endsAt): Promise<number> {
  let back = 0;
  for (const id of lease.jobs) if (await requeueJob(ports, id, lease, leaseEnds)) back += 1;
  await ports.workers.forget(lease);
  return back;
}

async function requeueJob(
  ports: LostPorts,
  id: string,
  { endpoint: name, worker, endsAt }: Lease,
  leaseEnds: number,
): Promise<boolean> {
  const job = await ports.jobs.read({ endpoint: name, id });
  if (job?.status !== 'IN_PROGRESS' || job.worker !== worker) return false;
  // The worker is alive, because it took the job under a later lease.
  if (job.startedAt > endsAt) return false;
  // Read the current generation for each job, because a worker can have many, and a job with an older generation would
  // be purged.
  const endpoint = await ports.endpoints.readNow(name);
  if (!endpoint) return false;
  await sendMessage(ports, endpoint, job, { generation: endpoint.generation });
  return rescue(ports, job, leaseEnds, endpoint.generation);
}
