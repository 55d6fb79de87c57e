/** Leases of workers. Every `BEAT`, each worker renews one item, which contains the ids of its jobs. */
import * as z from 'zod/mini';
import type { RunningJob } from '../jobs/job.ts';
import { BEAT, LATEST, LEASE, MAX_CONCURRENCY, NAMED_AFTER } from '../limits.ts';

/**
 * Maximum number of jobs in a lease, which can contain requeued jobs in addition to the same number of new jobs.
 */
const MAX_JOBS = 2 * MAX_CONCURRENCY;

const number = z.number().check(z.gte(0), z.lte(LATEST));

export const leaseSchema = z.object({
  endpoint: z.string(),
  worker: z.string(),
  /** Ids of the jobs that the worker runs. */
  jobs: z.array(z.string()).check(z.maxLength(MAX_JOBS)),
  /** Start of the worker's idle time, in milliseconds since the epoch; absent while its container is busy. */
  idleSince: z.optional(number),
  /** When the container first asked for jobs, in milliseconds since the epoch; null before that. */
  readySince: z.nullable(number),
  /** Number of the revision that the task runs; absent if the task's metadata has none. */
  revision: z.optional(number),
  /**
   * Present while ECS refuses protection: `WORKS` if the worker can hold jobs, `WAITS` if it takes none (see
   * `unprotected.ts`).
   */
  unprotected: z.optional(z.enum(['WORKS', 'WAITS'])),
  /** Concurrency that the container asks for; absent before it has asked. */
  asks: z.optional(z.int().check(z.gte(1), z.lte(MAX_CONCURRENCY))),
  /**
   * Whether the worker takes no more jobs and exits after its last job. ECS replaces the worker only after that.
   */
  retiring: z.optional(z.boolean()),
  /** Whether the container has not asked for a job for a while, although it has none and jobs wait. */
  silent: z.optional(z.boolean()),
  /** End of the lease, in milliseconds since the epoch, after which the worker counts as lost. */
  endsAt: number,
  removeAfter: number,
});
export type Lease = z.infer<typeof leaseSchema>;

/** The store of leases. */
export interface Workers {
  /** Stores the lease, unless the stored lease ends later. */
  beat(lease: Lease): Promise<void>;
  read(endpoint: string, worker: string): Promise<Lease | undefined>;
  list(endpoint: string): Promise<Lease[]>;
  /** Lists the leases of an endpoint, strongly consistent. */
  listNow(endpoint: string): Promise<Lease[]>;
  /** Lists the leases of an endpoint, at most `ENDPOINT_CACHE` ms old. */
  listLately(endpoint: string): Promise<Lease[]>;
  /** Removes the lease of a worker that stops. */
  remove(endpoint: string, worker: string): Promise<void>;
  /** Removes a lease that has ended, unless it was renewed. */
  forget(lease: Lease): Promise<void>;
}

export const isAlive = (lease: Lease | undefined, now: number): boolean => lease !== undefined && lease.endsAt >= now;

/** Returns whether the worker's container has not asked for a job yet. */
export const isStarting = ({ readySince }: Lease): boolean => readySince === null;

/**
 * Returns whether a live worker runs a job that is stored as its own. Beats from `NAMED_AFTER` after the start
 * contain the job, unless the response to the take was lost and the worker never received the job.
 */
export const holdsJob = (lease: Lease, { id, startedAt }: Pick<RunningJob, 'id' | 'startedAt'>): boolean =>
  lease.jobs.includes(id) || lease.endsAt - LEASE <= startedAt + NAMED_AFTER;

/**
 * Returns whether a scaler must retain the worker, because it has jobs or might still have ECS protection.
 * @param idleTimeout milliseconds without a job after which the worker ends its protection
 */
export const holdsWorker = (lease: Lease, idleTimeout: number, now: number): boolean =>
  isAlive(lease, now) &&
  (lease.jobs.length > 0 ||
    lease.idleSince === undefined ||
    // The worker ends its protection shortly after the timeout, and might have to repeat the call.
    now < lease.idleSince + idleTimeout + BEAT);

/** States of a worker according to its lease, with the names of the counters of `/health`. */
export const workerStates = ['INITIALIZING', 'IDLE', 'RUNNING', 'THROTTLED', 'UNHEALTHY'] as const;
export type WorkerState = (typeof workerStates)[number];

/**
 * Returns whether the worker takes no jobs because ECS refuses protection. A worker that holds a job finishes it.
 */
export const isRefused = ({ jobs, unprotected }: Pick<Lease, 'jobs' | 'unprotected'>): boolean =>
  unprotected === 'WAITS' && jobs.length === 0;

export function stateOf(lease: Lease, now: number): WorkerState {
  if (!isAlive(lease, now) || lease.silent) return 'UNHEALTHY';
  if (isRefused(lease)) return 'THROTTLED';
  if (isStarting(lease)) return 'INITIALIZING';
  return lease.jobs.length > 0 ? 'RUNNING' : 'IDLE';
}

/** Returns the start of the worker's state in milliseconds since the epoch, if the lease contains it. */
export function stateSince(lease: Lease, state: WorkerState): number | undefined {
  if (state === 'IDLE') return lease.idleSince;
  return state === 'UNHEALTHY' && !lease.silent ? lease.endsAt : undefined;
}

/** A mark assigns work to one worker of an endpoint, such as to measure the volume. */
export interface WorkerMark {
  readonly worker: string;
  /** Until when no other worker may do the work, in milliseconds since the epoch. */
  readonly until: number;
}

/** The store of one kind of marks. Each endpoint has at most one valid mark. */
export interface WorkerMarks {
  /**
   * Stores the mark, unless another mark is still valid at `now`.
   * @returns the valid mark
   */
  hold(endpoint: string, mark: WorkerMark, now: number): Promise<WorkerMark>;
  set(endpoint: string, mark: WorkerMark): Promise<void>;
}

/** Returns whether the two marks are equal. The worker whose mark is valid does the work. */
export const isSame = (one: WorkerMark, other: WorkerMark): boolean =>
  one.worker === other.worker && one.until === other.until;
