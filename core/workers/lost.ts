import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { type JobQueues, messageOf, queueOf } from '../jobs/queues.ts';
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
 * Brings back the jobs of a worker that is lost.
 *
 * Input: the worker's lease, and when it ended in truth, if that was before its time. Output: how many jobs wait again.
 *  1. For each job that it still holds: send its message, then put it back. In this order, because whoever follows the
 *     message of a job whose worker is lost puts it back too; a job that waits without a message would wait for ever.
 *  2. Remove the lease, unless the worker has renewed it: then it lives after all, and is fenced out of those jobs.
 */
export async function requeueJobsOf(ports: LostPorts, lease: Lease, leaseEnds = lease.endsAt): Promise<number> {
  // As it is now: a job that joins a generation that is over would be purged.
  const endpoint = await ports.endpoints.readNow(lease.endpoint);
  let back = 0;
  if (endpoint) for (const id of lease.jobs) if (await requeueJob(ports, endpoint, id, lease, leaseEnds)) back += 1;
  await ports.workers.forget(lease);
  return back;
}

async function requeueJob(
  ports: LostPorts,
  endpoint: Endpoint,
  id: string,
  { worker, endsAt }: Lease,
  leaseEnds: number,
): Promise<boolean> {
  const job = await ports.jobs.read({ endpoint: endpoint.id, id });
  if (job?.status !== 'IN_PROGRESS' || job.worker !== worker) return false;
  // The worker lives after all: it has taken the job under a lease that it has got since.
  if (job.startedAt > endsAt) return false;
  await ports.jobQueues.send(queueOf(endpoint, job, endpoint.generation), messageOf(job, endpoint.generation));
  return rescue(ports, job, leaseEnds, endpoint.generation);
}
