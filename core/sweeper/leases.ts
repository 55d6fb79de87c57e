import type { Endpoint } from '../endpoints/endpoint.ts';
import { isAlive } from '../workers/lease.ts';
import { bringBack, type LostPorts } from '../workers/lost.ts';

/**
 * Brings back the jobs of workers that no longer prove that they live.
 *
 * Input: endpoint. Output: how many jobs wait again.
 *  1. List the leases, and read each that has ended once more: the list may be a moment old.
 *  2. Bring back what those name whose lease has ended indeed.
 */
export async function sweepLeases(ports: LostPorts, { id }: Endpoint): Promise<number> {
  const isLost = (lease: Parameters<typeof isAlive>[0]) => !isAlive(lease, ports.clock.now());
  let back = 0;
  for (const { worker } of (await ports.workers.list(id)).filter(isLost)) {
    const lease = await ports.workers.read(id, worker);
    if (lease && isLost(lease)) back += await bringBack(ports, lease);
  }
  return back;
}
