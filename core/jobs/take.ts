import type { Endpoint } from '../endpoints/endpoint.ts';
import { LEASE, SECOND } from '../limits.ts';
import { isAlive } from '../workers/lease.ts';
import type { Hint, World } from '../world.ts';
import type { RunningJob } from './job.ts';
import { rescue } from './rescue.ts';

/** The job is this worker's; or the hint is of no more use; or it shall be looked at again in `hidden` ms. */
export type Taken =
  | { readonly outcome: 'taken'; readonly job: RunningJob }
  | { readonly outcome: 'stale' }
  | { readonly outcome: 'held'; readonly hidden: number };

/**
 * Takes the job that a hint names.
 *
 * Input: endpoint, worker, hint. Output: the job, or what to do with the hint.
 *  1. Move it to this worker in one conditional write; of several workers one wins.
 *  2. A job that this worker holds already is its own: the answer to an earlier try was lost.
 *  3. A job that another living worker holds is left to it.
 *  4. A job whose worker is lost goes back to the queue, or is given up after its last attempt; if back, take it.
 */
export async function take(
  world: Pick<World, 'clock' | 'jobs' | 'workers'>,
  endpoint: Pick<Endpoint, 'generation'>,
  worker: string,
  hint: Hint,
): Promise<Taken> {
  const key = { endpoint: hint.endpoint, id: hint.job };
  const facts = { $now: world.clock.now(), $worker: worker, $generation: endpoint.generation };
  const { job } = await world.jobs.move('take', key, facts);
  if (job?.status !== 'IN_PROGRESS') return { outcome: 'stale' };
  if (job.worker === worker) return { outcome: 'taken', job };

  const lease = await world.workers.read(job.endpoint, job.worker);
  // A hint for an attempt that still runs is of a worker that is just about to put the job back.
  const soon = hint.attempt === job.attempt;
  if (isAlive(lease, world.clock.now())) return { outcome: 'held', hidden: soon ? SECOND : LEASE };
  const backInQueue = await rescue(world, job, lease?.endsAt ?? 0);
  return backInQueue ? take(world, endpoint, worker, hint) : { outcome: 'stale' };
}
