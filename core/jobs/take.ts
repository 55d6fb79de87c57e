import { deployed } from '../endpoints/deployed.ts';
import { LEASE, PERMIT, SECOND } from '../limits.ts';
import { isAlive } from '../workers/lease.ts';
import type { Hint, World } from '../world.ts';
import type { RunningJob } from './job.ts';
import { rescue } from './rescue.ts';

/** The job is this worker's; or the hint is of no more use; or it shall be looked at again in `hidden` ms. */
export type Taken =
  | { readonly outcome: 'taken'; readonly job: RunningJob }
  | { readonly outcome: 'stale' }
  | { readonly outcome: 'held'; readonly hidden: number };

type TakeWorld = Pick<World, 'clock' | 'endpoints' | 'jobs' | 'workers'>;

/**
 * Takes the job that a hint names.
 *
 * Input: worker, hint. Output: the job, or what to do with the hint.
 *  1. Move it to this worker in one conditional write; of several workers one wins.
 *  2. If that took so long that a purge may have answered meanwhile, look again, and give a purged job up.
 *  3. A job that this worker holds already is its own: the answer to an earlier try was lost.
 *  4. A job that another living worker holds is left to it.
 *  5. A job whose worker is lost goes back to the queue, or is given up after its last attempt; if back, take it.
 */
export async function take(world: TakeWorld, worker: string, hint: Hint): Promise<Taken> {
  const askedAt = world.clock.now();
  const { generation } = await deployed(world, hint.endpoint);
  const facts = { $now: world.clock.now(), $worker: worker, $generation: generation };
  const { moved, job } = await world.jobs.move('take', { endpoint: hint.endpoint, id: hint.job }, facts);
  if (job?.status !== 'IN_PROGRESS') return { outcome: 'stale' };
  if (moved && world.clock.now() - askedAt > PERMIT && (await isPurged(world, job))) {
    await rescue(world, job, 0, job.generation);
    return { outcome: 'stale' };
  }
  if (job.worker === worker) return { outcome: 'taken', job };

  const lease = await world.workers.read(job.endpoint, job.worker);
  // A hint for an attempt that still runs is of a worker that is just about to put the job back.
  const soon = hint.attempt === job.attempt;
  if (isAlive(lease, world.clock.now())) return { outcome: 'held', hidden: soon ? SECOND : LEASE };
  const backInQueue = await rescue(world, job, lease?.endsAt ?? 0, generation);
  return backInQueue ? take(world, worker, hint) : { outcome: 'stale' };
}

async function isPurged({ endpoints }: Pick<World, 'endpoints'>, job: RunningJob): Promise<boolean> {
  const endpoint = await endpoints.readNow(job.endpoint);
  return endpoint !== undefined && job.generation < endpoint.generation;
}
