import type { Endpoint } from '../endpoints/endpoint.ts';
import type { JobKey } from '../jobs/job.ts';
import { settle } from '../jobs/settle.ts';
import { SWEEP_AT_ONCE, SWEEP_JOBS } from '../limits.ts';
import type { World } from '../world.ts';

type DeadlineWorld = Pick<World, 'clock' | 'deadlines' | 'jobs'>;

/**
 * Stores the end of jobs whose wait or run is over: nobody may be looking at them.
 *
 * Input: endpoint; after how many jobs to stop. Output: how many jobs have ended by it. What fails or is left is looked
 * at by the next sweep: to be late does no harm, because whoever reads such a job stores its end first.
 */
export async function sweepDeadlines(world: DeadlineWorld, endpoint: Endpoint, most = SWEEP_JOBS): Promise<number> {
  let [looked, ended] = [0, 0];
  for await (const dueJobs of world.deadlines.due(endpoint.id, world.clock.now())) {
    for (let from = 0; from < dueJobs.jobs.length; from += SWEEP_AT_ONCE) {
      const group = dueJobs.jobs.slice(from, from + SWEEP_AT_ONCE).map((id) => ({ endpoint: endpoint.id, id }));
      const ends = await Promise.all(group.map((key) => hasEnded(world, endpoint, key)));
      ended += ends.filter(Boolean).length;
    }
    await world.deadlines.forget(dueJobs);
    looked += dueJobs.jobs.length;
    if (looked >= most) break;
  }
  return ended;
}

/** Most have ended long ago: to read them costs less than a write whose condition fails. */
async function hasEnded(world: DeadlineWorld, endpoint: Endpoint, key: JobKey): Promise<boolean> {
  const job = await world.jobs.read(key);
  return job !== undefined && (await settle(world, job, endpoint)) !== job;
}
