import type { Endpoint } from '../endpoints/endpoint.ts';
import { settle } from '../jobs/settle.ts';
import type { World } from '../world.ts';

/**
 * Stores the end of jobs whose wait or run is over: nobody may be looking at them.
 *
 * Input: endpoint. Output: how many jobs have ended by it. What fails is looked at again by the next sweep.
 */
export async function sweepDeadlines(
  world: Pick<World, 'clock' | 'deadlines' | 'jobs'>,
  endpoint: Endpoint,
): Promise<number> {
  let ended = 0;
  for await (const dueJobs of world.deadlines.due(endpoint.id, world.clock.now())) {
    for (const id of dueJobs.jobs) {
      // Most have ended long ago: to read them costs less than a write whose condition fails.
      const job = await world.jobs.read({ endpoint: endpoint.id, id });
      if (job && (await settle(world, job, endpoint)) !== job) ended += 1;
    }
    await world.deadlines.forget(dueJobs);
  }
  return ended;
}
