/** Leases of workers: each worker renews one item every `BEAT`, which names the jobs that it holds. */
import * as z from 'zod/mini';
import type { RunningJob } from '../jobs/job.ts';
import { BEAT, LATEST, LEASE, MOST_AT_ONCE, NAMED_AFTER } from '../limits.ts';

/** Most jobs of a lease: jobs that were just requeued may still be named beside as many new ones. */
const MOST_JOBS = 2 * MOST_AT_ONCE;

const number = z.number().check(z.gte(0), z.lte(LATEST));

export const leaseSchema = z.object({
  endpoint: z.string(),
  worker: z.string(),
  /** Ids of the jobs that it runs. */
  jobs: z.array(z.string()).check(z.maxLength(MOST_JOBS)),
  /** Since when it has nothing to do, in milliseconds; absent while its container is busy. */
  idleSince: z.optional(number),
  /**
   * Since when its container asks for jobs, in milliseconds; null while it has not yet, absent if its agent is older.
   */
  readySince: z.optional(z.nullable(number)),
  /** Number of the revision that its task runs; absent if its agent is older. */
  revision: z.optional(number),
  /**
   * Set while ECS refuses to protect the worker: `WORKS` if it may hold jobs all the same, `WAITS` if it takes none.
   * See `unprotected.ts`.
   */
  unprotected: z.optional(z.enum(['WORKS', 'WAITS'])),
  /** Jobs that its container asks to run at once; absent before it has asked, and if its agent is older. */
  asks: z.optional(z.int().check(z.gte(1), z.lte(MOST_AT_ONCE))),
  /** Whether it takes no more jobs and ends with those that it has, and ECS starts another only then. */
  retiring: z.optional(z.boolean()),
  /** Milliseconds since the epoch; a lease that has ended proves nothing. */
  endsAt: number,
  removeAfter: number,
});
export type Lease = z.infer<typeof leaseSchema>;

/** The store of leases. */
export interface Workers {
  /** Renews the lease; one that ends before the stored one changes nothing. */
  beat(lease: Lease): Promise<void>;
  read(endpoint: string, worker: string): Promise<Lease | undefined>;
  list(endpoint: string): Promise<Lease[]>;
  /** The list with every beat that was stored before the call. */
  listNow(endpoint: string): Promise<Lease[]>;
  /** The list as it was at most `ENDPOINT_CACHE` ms ago. */
  listLately(endpoint: string): Promise<Lease[]>;
  leave(endpoint: string, worker: string): Promise<void>;
  /** Removes a lease that has ended; if it was renewed after all, it stays. */
  forget(lease: Lease): Promise<void>;
}

export const isAlive = (lease: Lease | undefined, now: number): boolean => lease !== undefined && lease.endsAt >= now;

/** Whether its container has not asked for a job yet: it starts, or will never be ready. */
export const isStarting = ({ readySince }: Lease): boolean => readySince === null;

/**
 * Whether a living worker runs a job that is stored as its own: beats well after the start name the job. If they do
 * not, the response to its take was lost, and the worker does not know the job.
 */
export const holdsJob = (lease: Lease, { id, startedAt }: Pick<RunningJob, 'id' | 'startedAt'>): boolean =>
  lease.jobs.includes(id) || lease.endsAt - LEASE <= startedAt + NAMED_AFTER;

/**
 * Whether a scaler must keep a place for the worker: it has jobs, or may still be protected by ECS.
 * @param idleTimeout milliseconds without a job after which the worker ends its protection
 */
export const holdsWorker = (lease: Lease, idleTimeout: number, now: number): boolean =>
  isAlive(lease, now) &&
  (lease.jobs.length > 0 ||
    lease.idleSince === undefined ||
    // The worker ends its protection a moment after the time-out, and may have to repeat the call.
    now < lease.idleSince + idleTimeout + BEAT);

/** States of a worker by its lease, named as `/health` counts them. */
export const workerStates = ['INITIALIZING', 'IDLE', 'RUNNING', 'THROTTLED', 'UNHEALTHY'] as const;
export type WorkerState = (typeof workerStates)[number];

/** Whether the worker takes no job because ECS refuses to protect it. A worker that holds a job finishes it. */
export const isRefused = ({ jobs, unprotected }: Pick<Lease, 'jobs' | 'unprotected'>): boolean =>
  unprotected === 'WAITS' && jobs.length === 0;

export function stateOf(lease: Lease, now: number): WorkerState {
  if (!isAlive(lease, now)) return 'UNHEALTHY';
  if (isRefused(lease)) return 'THROTTLED';
  if (isStarting(lease)) return 'INITIALIZING';
  return lease.jobs.length > 0 ? 'RUNNING' : 'IDLE';
}

/** Returns since when the worker is in its state, in milliseconds since the epoch, if the lease says so. */
export function stateSince(lease: Lease, state: WorkerState): number | undefined {
  if (state === 'IDLE') return lease.idleSince;
  return state === 'UNHEALTHY' ? lease.endsAt : undefined;
}

/** A mark assigns work to one worker of an endpoint, such as to measure the volume. */
export interface WorkerMark {
  readonly worker: string;
  /** Until when no other worker does the work, in milliseconds since the epoch. */
  readonly until: number;
}

/** The marks of one kind: each endpoint has at most one that holds. */
export interface WorkerMarks {
  /** Stores the mark, unless another one is valid beyond `now`; returns the valid one. */
  hold(endpoint: string, mark: WorkerMark, now: number): Promise<WorkerMark>;
  set(endpoint: string, mark: WorkerMark): Promise<void>;
}

/** Whether the two marks are the same: the worker that set the valid one does the work. */
export const isSame = (one: WorkerMark, other: WorkerMark): boolean =>
  one.worker === other.worker && one.until === other.until;
