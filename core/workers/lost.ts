import type { Endpoint } from '../endpoints/endpoint.ts';
import { hintAt, queueOf } from '../jobs/hint.ts';
import { rescue } from '../jobs/rescue.ts';
import type { World } from '../world.ts';
import type { Lease } from './lease.ts';

/**
 * Brings back the jobs of a worker that is lost.
 *
 * Input: the endpoint, the worker's lease, and when it ended in truth, if that was before its time. Output: how many jobs wait again.
 *  1. For each job that it still holds: hint another worker at it, then put it back. In this order, because whoever
 *     follows the hint of a job whose worker is lost puts it back too; a job that waits without a hint would wait for ever.
 *  2. Remove the lease, unless the worker has renewed it: then it lives after all, and is fenced out of those jobs.
 */
export async function bringBack(
  world: Pick<World, 'clock' | 'hints' | 'jobs' | 'workers'>,
  endpoint: Endpoint,
  lease: Lease,
  leaseEnds = lease.endsAt,
): Promise<number> {
  let back = 0;
  for (const id of lease.jobs) {
    const job = await world.jobs.read({ endpoint: lease.endpoint, id });
    if (job?.status !== 'IN_PROGRESS' || job.worker !== lease.worker) continue;
    await world.hints.send(queueOf(endpoint, job), hintAt(job));
    if (await rescue(world, job, leaseEnds)) back += 1;
  }
  await world.workers.forget(lease);
  return back;
}
