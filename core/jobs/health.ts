import { deployed } from '../endpoints/deployed.ts';
import type { Counter } from '../ledger/tally.ts';
import { START_LIMIT } from '../limits.ts';
import { isAlive } from '../workers/lease.ts';
import type { World } from '../world.ts';

export interface Health {
  readonly jobs: Readonly<Record<Exclude<Counter, 'lowInQueue'>, number>>;
  readonly workers: {
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
  };
}

/** For an instant between two batches of the stream a counter can be below what is there. */
const atLeastZero = (count: number) => Math.max(0, count);

/**
 * Counts the endpoint's jobs and workers, in constant time.
 *
 * Input: endpoint id. Output: the health record. Jobs are counted by the ledger, about a second behind.
 *  1. Refuse an unknown endpoint.
 *  2. Count the workers by their leases.
 */
export async function health(world: Pick<World, 'clock' | 'endpoints' | 'workers'>, id: string): Promise<Health> {
  const { counts, desiredWorkers, desiredSince, minWorkers } = await deployed(world, id);
  const { inQueue, inProgress, completed, failed, retried } = counts;

  const now = world.clock.now();
  const leases = await world.workers.list(id);
  const alive = leases.filter((lease) => isAlive(lease, now));
  const ready = alive.length;
  const running = alive.filter(({ jobs }) => jobs.length > 0).length;
  const missing = atLeastZero((desiredWorkers ?? minWorkers) - ready);
  const overdue = desiredSince !== undefined && now - desiredSince > START_LIMIT;
  return {
    jobs: {
      inQueue: atLeastZero(inQueue),
      inProgress: atLeastZero(inProgress),
      completed: atLeastZero(completed),
      failed: atLeastZero(failed),
      retried: atLeastZero(retried),
    },
    workers: {
      idle: ready - running,
      initializing: overdue ? 0 : missing,
      ready,
      running,
      throttled: overdue ? missing : 0,
      unhealthy: leases.length - ready,
    },
  };
}
