import type { Endpoint } from '../endpoints/endpoint.ts';
import { isAlive } from '../workers/lease.ts';
import { bringBack, type LostWorld } from '../workers/lost.ts';

/**
 * Brings back the jobs of workers that no longer prove that they live.
 *
 * Input: endpoint. Output: how many jobs wait again.
 *  1. List the leases, and read each that has ended once more: the list may be a moment old.
 *  2. Bring back what those name whose lease has ended indeed.
 */
export async function sweepLeases(world: LostWorld, { id }: Endpoint): Promise<number> {
  const isLost = (lease: Parameters<typeof isAlive>[0]) => !isAlive(lease, world.clock.now());
  let back = 0;
  for (const { worker } of (await world.workers.list(id)).filter(isLost)) {
    const lease = await world.workers.read(id, worker);
    if (lease && isLost(lease)) back += await bringBack(world, lease);
  }
  return back;
}
