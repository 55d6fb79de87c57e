/** What an endpoint does now, for metrics. */
import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Arrivals } from '../ledger/store.ts';
import type { Lease, Workers } from '../workers/lease.ts';
import { oldestWaiting } from './waiting.ts';

export type ActivityPorts = {
  readonly arrivals: Pick<Arrivals, 'earliest'>;
  readonly clock: Clock;
  readonly workers: Pick<Workers, 'list'>;
};

export interface Activity {
  readonly leases: readonly Lease[];
  /** Milliseconds for which the oldest normal job has waited; undefined if none waits. */
  readonly oldestWaiting: number | undefined;
  /** Time of the reads. */
  readonly now: number;
}

/** Reads what the endpoint does now. Reads nothing of an endpoint without jobs and without requested workers. */
export async function readActivity(ports: ActivityPorts, endpoint: Endpoint): Promise<Activity> {
  const { inQueue, inProgress } = endpoint.counts;
  const canHaveWorkers = inQueue > 0 || inProgress > 0 || (endpoint.desiredWorkers ?? endpoint.minWorkers) > 0;
  const [oldest, leases] = await Promise.all([
    oldestWaiting(ports, endpoint),
    canHaveWorkers ? ports.workers.list(endpoint.id) : [],
  ]);
  return { leases, oldestWaiting: oldest, now: ports.clock.now() };
}
