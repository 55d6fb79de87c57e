import type { Endpoint } from '../endpoints/endpoint.ts';
import { isAlive } from '../workers/lease.ts';
import { bringBack } from '../workers/lost.ts';
import type { World } from '../world.ts';

/**
 * Brings back the jobs of workers that no longer prove that they live.
 *
 * Input: endpoint. Output: how many jobs wait again.
 */
export async function sweepLeases(
  world: Pick<World, 'clock' | 'hints' | 'jobs' | 'workers'>,
  endpoint: Endpoint,
): Promise<number> {
  const leases = await world.workers.list(endpoint.id);
  const ended = leases.filter((lease) => !isAlive(lease, world.clock.now()));
  let back = 0;
  for (const lease of ended) back += await bringBack(world, endpoint, lease);
  return back;
}
