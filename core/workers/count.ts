import type { Endpoint } from '../endpoints/endpoint.ts';
import { type Blocker, conditionKinds } from '../endpoints/fleet-state.ts';
import { START_LIMIT } from '../limits.ts';
import { desiredWorkers, jobsPerWorker } from './concurrency.ts';
import { isAlive, isRefused, isStarting, type Lease } from './lease.ts';

/** Counts of workers by their state. */
export interface WorkerCounts {
  /** Ready workers without a job. */
  readonly idle: number;
  /** Workers that are requested and not started, or started and not ready. */
  readonly initializing: number;
  /** Idle and running workers. */
  readonly ready: number;
  /** Workers with a job. */
  readonly running: number;
  /**
   * Workers without capacity, workers requested more than `START_LIMIT` ago and not known to be placed, and
   * started workers that take no jobs because ECS refuses protection.
   */
  readonly throttled: number;
  /** Workers that fail to start, whose lease has ended, or whose container no longer asks for jobs. */
  readonly unhealthy: number;
}

/** The facts about an endpoint's workers. */
export type WorkerFacts = Pick<
  Endpoint,
  | 'asked'
  | 'concurrency'
  | 'counts'
  | 'desiredSince'
  | 'desiredWorkers'
  | 'fleet'
  | 'maxDollarsPerDay'
  | 'maxWorkers'
  | 'minWorkers'
  | 'release'
  | 'spending'
>;

/** Leases of live workers by their state, and the number of missing workers. */
export interface Presence {
  readonly ready: readonly Lease[];
  /** Workers that take no jobs, because ECS refuses protection. */
  readonly refused: readonly Lease[];
  /** Workers whose container no longer asks for jobs, and which are about to be replaced. */
  readonly silent: readonly Lease[];
  /** Workers whose container has not asked for a job yet. */
  readonly starting: readonly Lease[];
  /** Workers that do not run, although they are requested, or needed by an endpoint that backs off. */
  readonly missing: number;
  /** Why missing workers do not become ready, if known. */
  readonly blocker?: Blocker;
  /** Whether the workers have been missing for too long for an unknown reason. */
  readonly overdue: boolean;
}

export function presenceOf(facts: WorkerFacts, leases: readonly Lease[], now: number): Presence {
  const { counts, desiredSince, fleet, minWorkers } = facts;
  const { backOff, condition } = fleet;
  const alive = leases.filter((lease) => isAlive(lease, now));
  const refused = alive.filter(isRefused);
  const ready = alive.filter((lease) => !isStarting(lease) && !isRefused(lease) && !lease.silent);
  const requested = facts.desiredWorkers ?? minWorkers;
  const wanted = backOff ? Math.max(requested, desiredWorkers(facts, counts)) : requested;
  const blocker = wanted > ready.length && condition?.is !== 'STARTING' ? condition?.is : undefined;
  return {
    ready,
    refused,
    silent: alive.filter(({ silent }) => silent),
    starting: alive.filter(isStarting),
    missing: Math.max(0, wanted - alive.length),
    ...(blocker && { blocker }),
    overdue: !condition && desiredSince !== undefined && now - desiredSince > START_LIMIT,
  };
}

/** Returns the number of missing workers, if they are overdue or something keeps them from starting; otherwise 0. */
export function lackingWorkers(facts: WorkerFacts, leases: readonly Lease[], now: number): number {
  const { missing, blocker, overdue } = presenceOf(facts, leases, now);
  return blocker || overdue ? missing : 0;
}

/**
 * Returns how many of the ready workers run a job. Leases are up to `BEAT` old, so the number of running jobs
 * limits the number from leases.
 */
function runningOf(facts: WorkerFacts, ready: readonly Lease[]): number {
  const inProgress = Math.max(0, facts.counts.inProgress);
  const named = ready.filter(({ jobs }) => jobs.length > 0).length;
  const min = Math.ceil(inProgress / jobsPerWorker(facts));
  return Math.min(Math.max(named, min), inProgress, ready.length);
}

/** Counts the workers of an endpoint by their leases, and the missing workers by their blocker. */
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
