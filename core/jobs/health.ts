import { deployed } from '../endpoints/deployed.ts';
import { isAlive } from '../workers/lease.ts';
import type { World } from '../world.ts';
import type { JobStatus } from './job.ts';
import { observe } from './observe.ts';

export interface Health {
  readonly jobs: { completed: number; failed: number; inProgress: number; inQueue: number; retried: number };
  readonly workers: { idle: number; running: number };
}

const countedAs: Readonly<Record<JobStatus, keyof Health['jobs'] | undefined>> = {
  IN_QUEUE: 'inQueue',
  IN_PROGRESS: 'inProgress',
  COMPLETED: 'completed',
  FAILED: 'failed',
  TIMED_OUT: 'failed',
  CANCELLED: undefined,
};

/**
 * Counts the endpoint's jobs and workers.
 *
 * Input: endpoint id. Output: the health record.
 *  1. Refuse an unknown endpoint.
 *  2. Count every stored job as what it is by now. This reads all of them: the ledger's counters will take its place.
 *  3. Count the workers whose lease has not ended, by whether they hold a job.
 */
export async function health(
  world: Pick<World, 'clock' | 'endpoints' | 'jobs' | 'workers'>,
  id: string,
): Promise<Health> {
  const endpoint = await deployed(world, id);

  const now = world.clock.now();
  const jobs = { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 };
  for await (const stored of world.jobs.list(id)) {
    const counter = countedAs[observe(stored, endpoint, now).status];
    if (counter) jobs[counter] += 1;
    jobs.retried += stored.rescues;
  }

  const alive = (await world.workers.list(id)).filter((lease) => isAlive(lease, now));
  const running = alive.filter((lease) => lease.jobs.length > 0).length;
  return { jobs, workers: { idle: alive.length - running, running } };
}
