import type { Endpoint } from '../endpoints/endpoint.ts';
import type { JobKey } from '../jobs/job.ts';
import { settle } from '../jobs/settle.ts';
import { MINUTE, SWEEP_AT_ONCE, SWEEP_JOBS } from '../limits.ts';
import { type RedriveWorld, redrive } from '../webhooks/redrive.ts';
import type { World } from '../world.ts';

export type DeadlineWorld = Pick<World, 'clock' | 'deadlines' | 'jobs'> & RedriveWorld;

export interface SweptDeadlines {
  /** Jobs that have ended by it. */
  readonly ended: number;
  /** Deliveries that were started again. */
  readonly redriven: number;
  /** Deliveries that have failed, because they could not be tried for too long. */
  readonly givenUp: number;
}

/**
 * Stores the end of jobs whose wait or run is over: nobody may be looking at them. Starts deliveries again that should be
 * over and are not.
 *
 * Input: endpoint; after how many jobs and deliveries to stop. Output: what was done. What fails or is left is looked at
 * by the next sweep, and so are deliveries that are still not over: to be late does no harm, because whoever reads such a
 * job stores its end first.
 */
export async function sweepDeadlines(
  world: DeadlineWorld,
  endpoint: Endpoint,
  most = SWEEP_JOBS,
): Promise<SweptDeadlines> {
  let [looked, ended, redriven, givenUp] = [0, 0, 0, 0];
  for await (const due of world.deadlines.due(endpoint.id, world.clock.now())) {
    const keys = due.jobs.map((id) => ({ endpoint: endpoint.id, id }));
    const ends = await someAtOnce(keys, (key) => hasEnded(world, endpoint, key));
    ended += ends.filter(Boolean).length;
    const fates = await someAtOnce(due.deliveries, (key) => redrive(world, key, due.minute * MINUTE));
    redriven += fates.filter((fate) => fate === 'started').length;
    givenUp += fates.filter((fate) => fate === 'given up').length;
    if (fates.every((fate) => fate === 'over' || fate === 'given up')) await world.deadlines.forget(due);
    looked += due.jobs.length + due.deliveries.length;
    if (looked >= most) break;
  }
  return { ended, redriven, givenUp };
}

async function someAtOnce<Item, Result>(items: readonly Item[], look: (item: Item) => Promise<Result>) {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += SWEEP_AT_ONCE)
    results.push(...(await Promise.all(items.slice(from, from + SWEEP_AT_ONCE).map(look))));
  return results;
}

/** Most have ended long ago: to read them costs less than a write whose condition fails. */
async function hasEnded(world: DeadlineWorld, endpoint: Endpoint, key: JobKey): Promise<boolean> {
  const job = await world.jobs.read(key);
  return job !== undefined && (await settle(world, job, endpoint)) !== job;
}
