import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { type Fact, saveFact } from '../workers/facts.ts';
import { isAlive, type Lease, type Workers } from '../workers/lease.ts';
import type { LaunchEvent } from './event.ts';
import { factOf } from './fact.ts';

/** Whether a worker was asked for that has no place to run, as far as is known. */
function lacksPlace({ desiredWorkers, minWorkers, fleet }: Endpoint, leases: readonly Lease[], now: number): boolean {
  const placed = new Set(leases.filter((lease) => isAlive(lease, now)).map(({ worker }) => worker));
  // It has its place before it has a lease.
  if (fleet.condition?.is === 'STARTING' && fleet.condition.task) placed.add(fleet.condition.task);
  return (desiredWorkers ?? minWorkers) > placed.size;
}

/**
 * Notes why an instance was not started. An instance is for whoever needs it first, so it is told to all endpoints on the
 * group that wait for a worker, and to no other.
 * @returns the endpoints that it is told to, and what
 */
export async function saveLaunchFailure(
  ports: { readonly clock: Clock; readonly endpoints: Endpoints; readonly workers: Workers },
  event: LaunchEvent,
): Promise<{ readonly endpoints: readonly string[]; readonly fact?: Fact }> {
  const now = ports.clock.now();
  const fact = factOf(event, undefined);
  const onGroup = (await ports.endpoints.list()).filter(({ instanceGroup }) => instanceGroup === event.group);
  const told = onGroup.map(async (endpoint) => {
    if (!fact || !lacksPlace(endpoint, await ports.workers.list(endpoint.id), now)) return [];
    await saveFact(ports, endpoint.id, fact);
    return [endpoint.id];
  });
  const endpoints = (await Promise.all(told)).flat();
  return { endpoints, ...(fact && endpoints.length > 0 && { fact }) };
}
