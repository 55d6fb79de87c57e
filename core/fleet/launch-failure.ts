import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { type FactPorts, saveFact } from '../workers/apply-facts.ts';
import { isAlive, type Lease, type Workers } from '../workers/lease.ts';
import type { LaunchEvent } from './event.ts';
import { launchFact } from './fact-from-event.ts';

/** Returns whether the endpoint has requested more workers than are placed. */
function lacksPlace({ desiredWorkers, minWorkers, fleet }: Endpoint, leases: readonly Lease[], now: number): boolean {
  const placed = new Set(leases.filter((lease) => isAlive(lease, now)).map(({ worker }) => worker));
  // A starting worker is placed before it has a lease.
  if (fleet.condition?.is === 'STARTING' && fleet.condition.task) placed.add(fleet.condition.task);
  return (desiredWorkers ?? minWorkers) > placed.size;
}

/**
 * Stores why an instance was not started, for each of the endpoints that waits for a worker. The first endpoint that
 * needs an instance gets the group's next instance. For endpoints on a pool with warm instances, whose demand and
 * supply are unknown.
 * @param endpoints endpoints on the group of the event
 * @returns ids of the endpoints for which the fact was stored
 */
export async function saveLaunchFailure(
  ports: { readonly clock: Clock; readonly workers: Workers } & FactPorts,
  endpoints: readonly Endpoint[],
  event: LaunchEvent,
): Promise<string[]> {
  const now = ports.clock.now();
  const stored = endpoints.map(async (endpoint) => {
    if (!lacksPlace(endpoint, await ports.workers.list(endpoint.id), now)) return [];
    await saveFact(ports, endpoint.id, launchFact(event));
    return [endpoint.id];
  });
  return (await Promise.all(stored)).flat();
}
