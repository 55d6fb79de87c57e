import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { type Fact, saveFact } from '../workers/facts.ts';
import { isAlive, type Lease, type Workers } from '../workers/lease.ts';
import type { LaunchEvent } from './event.ts';
import { factOf } from './fact.ts';

/** Returns whether the endpoint has requested more workers than are placed. */
function lacksPlace({ desiredWorkers, minWorkers, fleet }: Endpoint, leases: readonly Lease[], now: number): boolean {
  const placed = new Set(leases.filter((lease) => isAlive(lease, now)).map(({ worker }) => worker));
  // A starting worker is placed before it has a lease.
  if (fleet.condition?.is === 'STARTING' && fleet.condition.task) placed.add(fleet.condition.task);
  return (desiredWorkers ?? minWorkers) > placed.size;
}

/**
 * Stores why an instance was not started. The first endpoint that needs an instance gets the group's next instance,
 * so the reason is stored for each endpoint of the group that waits for a worker.
 * @returns the endpoints for which the fact was stored, and the fact
 */
export async function saveLaunchFailure(
  ports: { readonly clock: Clock; readonly endpoints: Endpoints; readonly workers: Workers },
  event: LaunchEvent,
): Promise<{ readonly endpoints: readonly string[]; readonly fact?: Fact }> {
  const now = ports.clock.now();
  const fact = factOf(event, undefined);
  const onGroup = (await ports.endpoints.list()).filter(({ instanceGroup }) => instanceGroup === event.group);
  const stored = onGroup.map(async (endpoint) => {
    if (!fact || !lacksPlace(endpoint, await ports.workers.list(endpoint.id), now)) return [];
    await saveFact(ports, endpoint.id, fact);
    return [endpoint.id];
  });
  const endpoints = (await Promise.all(stored)).flat();
  return { endpoints, ...(fact && endpoints.length > 0 && { fact }) };
}
