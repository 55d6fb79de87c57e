/** A worker's proof of life: one item per worker, renewed every `BEAT`, naming the jobs it holds. */
import * as z from 'zod/mini';
import type { RunningJob } from '../jobs/job.ts';
import { BEAT, LATEST, LEASE, MOST_AT_ONCE, NAMED_AFTER } from '../limits.ts';

/** Jobs of a worker at most: those that it has just given back may still be named beside as many new ones. */
const MOST_JOBS = 2 * MOST_AT_ONCE;

const number = z.number().check(z.gte(0), z.lte(LATEST));

export const leaseSchema = z.object({
  endpoint: z.string(),
  worker: z.string(),
  /** Ids of the jobs that it runs. */
  jobs: z.array(z.string()).check(z.maxLength(MOST_JOBS)),
  /** Since when it has nothing to do, in milliseconds; absent while its container is busy. */
  idleSince: z.optional(number),
  /** Since when its container asks for jobs, in milliseconds; null while it has not yet, absent if its agent is older. */
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
  /** Milliseconds since the epoch; a lease in the past proves nothing. */
  endsAt: number,
  removeAfter: number,
});
export type Lease = z.infer<typeof leaseSchema>;

/** Which workers are alive. */
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
 * Whether a living worker runs a job that is stored as its own: beats that come well after a start name the job. If they
 * do not, the answer to its take was lost, and it knows nothing of it.
 */
export const holdsJob = (lease: Lease, { id, startedAt }: Pick<RunningJob, 'id' | 'startedAt'>): boolean =>
  lease.jobs.includes(id) || lease.endsAt - LEASE <= startedAt + NAMED_AFTER;

/**
 * Whether a scaler must keep a place for the worker: it has jobs, or may still be protected by ECS.
 * @param idleTimeout milliseconds without a job after which the worker gives its protection back
 */
export const holdsWorker = (lease: Lease, idleTimeout: number, now: number): boolean =>
  isAlive(lease, now) &&
  (lease.jobs.length > 0 ||
    lease.idleSince === undefined ||
    // It gives the protection back a moment after the time-out, and the call may have to be tried again.
    now < lease.idleSince + idleTimeout + BEAT);

/** What a worker does, by its lease, in the words in which `/health` counts workers. */
export const workerStates = ['INITIALIZING', 'IDLE', 'RUNNING', 'THROTTLED', 'UNHEALTHY'] as const;
export type WorkerState = (typeof workerStates)[number];

/** Whether it takes no job because ECS refuses to protect it. One that holds a job finishes it. */
export const isRefused = ({ jobs, unprotected }: Pick<Lease, 'jobs' | 'unprotected'>): boolean =>
  unprotected === 'WAITS' && jobs.length === 0;

export function stateOf(lease: Lease, now: number): WorkerState {
  if (!isAlive(lease, now)) return 'UNHEALTHY';
  if (isRefused(lease)) return 'THROTTLED';
  if (isStarting(lease)) return 'INITIALIZING';
  return lease.jobs.length > 0 ? 'RUNNING' : 'IDLE';
}

/** Since when it is in its state, in milliseconds since the epoch, where the lease says so. */
export function stateSince(lease: Lease, state: WorkerState): number | undefined {
  if (state === 'IDLE') return lease.idleSince;
  return state === 'UNHEALTHY' ? lease.endsAt : undefined;
}

/** Marks by which one worker of an endpoint does what the others leave to it, such as to measure the volume. */
export interface WorkerMark {
  readonly worker: string;
  /** Until when no other worker does it, in milliseconds since the epoch. */
  readonly until: number;
}

/** The marks of one kind: each endpoint has at most one that holds. */
export interface WorkerMarks {
  /** Stores the mark, unless there is one that holds beyond `now`; all workers get the one that holds. */
  hold(endpoint: string, mark: WorkerMark, now: number): Promise<WorkerMark>;
  set(endpoint: string, mark: WorkerMark): Promise<void>;
}

/** Whether the mark that holds is the one that this worker wanted to set. */
export const isSame = (one: WorkerMark, other: WorkerMark): boolean =>
  one.worker === other.worker && one.until === other.until;
