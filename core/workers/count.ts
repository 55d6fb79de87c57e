import type { Endpoint } from '../endpoints/endpoint.ts';
import { START_LIMIT } from '../limits.ts';
import { isAlive, type Lease } from './lease.ts';

/** Workers by what they do. */
export interface WorkerCounts {
  /** Without a job. */
  readonly idle: number;
  /** Asked for, and not there yet. */
  readonly initializing: number;
  /** Idle or running. */
  readonly ready: number;
  /** With a job. */
  readonly running: number;
  /** Asked for `START_LIMIT` ago, and still not there: they wait for capacity. */
  readonly throttled: number;
  /** Not heard of for longer than a lease. */
  readonly unhealthy: number;
}

/** Counts the workers of an endpoint by their leases. */
export function countWorkers(
  { desiredWorkers, desiredSince, minWorkers }: Pick<Endpoint, 'desiredWorkers' | 'desiredSince' | 'minWorkers'>,
  leases: readonly Lease[],
  now: number,
): WorkerCounts {
  const alive = leases.filter((lease) => isAlive(lease, now));
  const ready = alive.length;
  const running = alive.filter(({ jobs }) => jobs.length > 0).length;
  const missing = Math.max(0, (desiredWorkers ?? minWorkers) - ready);
  const overdue = desiredSince !== undefined && now - desiredSince > START_LIMIT;
  return {
    idle: ready - running,
    initializing: overdue ? 0 : missing,
    ready,
    running,
    throttled: overdue ? missing : 0,
    unhealthy: leases.length - ready,
  };
}
