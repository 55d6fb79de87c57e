/** Why a job waits. `docs/waiting.md` tells clients what each reason means and what to do about it. */
import type { Endpoint } from '../endpoints/endpoint.ts';
import { countWorkers } from '../workers/count.ts';
import { isAlive, type Lease } from '../workers/lease.ts';
import type { Job } from './job.ts';

/** What is known of the endpoint: its bounds, how many workers it asked for and when, and its counts of jobs. */
type Facts = Pick<Endpoint, 'minWorkers' | 'maxWorkers' | 'concurrency' | 'desiredWorkers' | 'desiredSince' | 'counts'>;

interface Situation {
  readonly lowPriority: boolean;
  /** Normal jobs that wait. */
  readonly normalWaiting: number;
  /** Workers that are there, and those of them with room for a job. */
  readonly ready: number;
  readonly free: number;
  /** Workers that were asked for and are not there: not long ago, or for too long. */
  readonly initializing: number;
  readonly throttled: number;
  readonly maxWorkers: number;
}

/** In the order in which they are decided: the first that holds is the reason. */
export const waitReasons = {
  /** Normal jobs go first; and where no worker is free or on its way, a normal job would have one started. */
  LOW_PRIORITY: ({ lowPriority, normalWaiting, ready, free, initializing, throttled, maxWorkers }) =>
    lowPriority && (normalWaiting > 0 || (free <= 0 && initializing + throttled === 0 && ready < maxWorkers)),
  /** Its container starts, or is about to take a job. */
  WORKER_STARTING: ({ free }) => free > 0,
  WAITING_FOR_CAPACITY: ({ throttled }) => throttled > 0,
  SCALING_UP: ({ initializing }) => initializing > 0,
  /** The ledger asks for one within a second or two. */
  NO_WORKER: ({ ready }) => ready === 0,
  WORKERS_BUSY: () => true,
} as const satisfies Record<string, (situation: Situation) => boolean>;

export type WaitReason = keyof typeof waitReasons;

/**
 * Leases tell of a job up to 10 s after its start, and the counts a second or two after it: a worker is busy as soon as
 * either says so.
 * @param leases of the endpoint's workers
 * @param now milliseconds
 */
export function waitReason(
  { counts, maxWorkers, concurrency = 1, ...desired }: Facts,
  leases: readonly Lease[],
  { lowPriority }: Pick<Job, 'lowPriority'>,
  now: number,
): WaitReason {
  const { ready, initializing, throttled } = countWorkers(desired, leases, now);
  const full = leases.filter((lease) => isAlive(lease, now) && lease.jobs.length >= concurrency).length;
  const situation: Situation = {
    lowPriority,
    normalWaiting: counts.inQueue - counts.lowInQueue,
    ready,
    free: ready - Math.max(full, Math.floor(counts.inProgress / concurrency)),
    initializing,
    throttled,
    maxWorkers,
  };
  const reasons = Object.keys(waitReasons) as WaitReason[];
  return reasons.find((reason) => waitReasons[reason](situation)) ?? 'WORKERS_BUSY';
}
