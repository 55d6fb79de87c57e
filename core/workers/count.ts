import type { Endpoint } from '../endpoints/endpoint.ts';
import { type Blocker, conditionKinds } from '../endpoints/fleet-state.ts';
import { START_LIMIT } from '../limits.ts';
import { desiredWorkers, jobsPerWorker } from './concurrency.ts';
import { isAlive, isRefused, isStarting, type Lease } from './lease.ts';

/** Workers by what they do. */
export interface WorkerCounts {
  /** Without a job. */
  readonly idle: number;
  /** Asked for and not there yet, or there and not ready. */
  readonly initializing: number;
  /** Idle or running. */
  readonly ready: number;
  /** With a job. */
  readonly running: number;
  /**
   * There is no capacity for them, they were asked for `START_LIMIT` ago and their place is unknown, or they are there and
   * take no job because ECS refuses to protect them.
   */
  readonly throttled: number;
  /** They fail to start, or have not been heard of for longer than a lease. */
  readonly unhealthy: number;
}

/** What is known of the workers of an endpoint. */
export type WorkerFacts = Pick<
  Endpoint,
  | 'asked'
  | 'concurrency'
  | 'counts'
  | 'desiredSince'
  | 'desiredWorkers'
  | 'fleet'
  | 'maxWorkers'
  | 'minWorkers'
  | 'release'
>;

/** Workers that are there, and those that should be. */
export interface Presence {
  readonly ready: readonly Lease[];
  /** Those that take no job, because ECS refuses to protect them. */
  readonly refused: readonly Lease[];
  /** Those whose container has not asked for a job yet. */
  readonly starting: readonly Lease[];
  /** Asked for, or needed by an endpoint that backs off, and not there. */
  readonly missing: number;
  /** What keeps workers from becoming ready, if some should and something does. */
  readonly blocker?: Blocker;
  /** Nobody knows why they are not there, and they should be by now. */
  readonly overdue: boolean;
}

export function presenceOf(facts: WorkerFacts, leases: readonly Lease[], now: number): Presence {
  const { counts, desiredSince, fleet, minWorkers } = facts;
  const { backOff, condition } = fleet;
  const alive = leases.filter((lease) => isAlive(lease, now));
  const refused = alive.filter(isRefused);
  const ready = alive.filter((lease) => !isStarting(lease) && !isRefused(lease));
  const told = facts.desiredWorkers ?? minWorkers;
  const wanted = backOff ? Math.max(told, desiredWorkers(facts, counts)) : told;
  const blocker = wanted > ready.length && condition?.is !== 'STARTING' ? condition?.is : undefined;
  return {
    ready,
    refused,
    starting: alive.filter(isStarting),
    missing: Math.max(0, wanted - alive.length),
    ...(blocker && { blocker }),
    overdue: !condition && desiredSince !== undefined && now - desiredSince > START_LIMIT,
  };
}

/**
 * How many of the ready workers run a job. A lease is up to `BEAT` old, so the number of jobs that run bounds what leases
 * say: each of these jobs has a worker, and a worker has at least one of them.
 */
function runningOf(facts: WorkerFacts, ready: readonly Lease[]): number {
  const inProgress = Math.max(0, facts.counts.inProgress);
  const named = ready.filter(({ jobs }) => jobs.length > 0).length;
  const least = Math.ceil(inProgress / jobsPerWorker(facts));
  return Math.min(Math.max(named, least), inProgress, ready.length);
}

/** Counts the workers of an endpoint by their leases, and those that are missing by what keeps them. */
export function countWorkers(facts: WorkerFacts, leases: readonly Lease[], now: number): WorkerCounts {
  const { ready, refused, starting, missing, blocker, overdue } = presenceOf(facts, leases, now);
  const running = runningOf(facts, ready);
  const reason = blocker ? conditionKinds[blocker].counts : overdue ? 'throttled' : 'initializing';
  const missingFor = (counted: typeof reason) => (reason === counted ? missing : 0);
  return {
    idle: ready.length - running,
    initializing: starting.length + missingFor('initializing'),
    ready: ready.length,
    running,
    throttled: refused.length + missingFor('throttled'),
    unhealthy: leases.length - ready.length - refused.length - starting.length + missingFor('unhealthy'),
  };
}
