/**
 * Timers end waiting jobs soon after their `ttl` has run out, because the sweeper comes once a minute only. They are a
 * convenience: a timer that is lost or runs twice changes nothing that is stored, and the sweeper ends what is left.
 */
import type { Job, QueuedJob } from '../jobs/job.ts';
import { expiryTimer } from '../limits.ts';

export interface ExpiryTimer {
  readonly endpoint: string;
  /** Ids of jobs, at most `expiryTimer.jobs`. */
  readonly jobs: readonly string[];
  /** When it calls `expire`, in milliseconds since the epoch; a time that has passed means at once. */
  readonly at: number;
}

export interface ExpiryTimers {
  /** Starts a timer. It never throws: a timer that could not be started is logged, and the sweeper ends its jobs. */
  start(timer: ExpiryTimer): Promise<void>;
}

const { ahead, slot, margin, jobs: most } = expiryTimer;

/** Whether the job's `ttl` runs out before the sweeper can be relied on to start a timer for it. */
export const expiresSoon = (job: Job, now: number): job is QueuedJob =>
  job.status === 'IN_QUEUE' && job.queueDeadline <= now + ahead;

/** The end of the slot in which the deadline lies, a margin later: the clocks of timer and function differ. */
const endOfSlot = ({ queueDeadline }: QueuedJob) => Math.ceil((queueDeadline + margin) / slot) * slot;

function* timersFor(jobs: readonly QueuedJob[]): Iterable<ExpiryTimer> {
  for (const [endpoint, ours] of Map.groupBy(jobs, (job) => job.endpoint))
    for (const [at, together] of Map.groupBy(ours, endOfSlot))
      for (let from = 0; from < together.length; from += most)
        yield { endpoint, jobs: together.slice(from, from + most).map(({ id }) => id), at };
}

/** Starts timers for those of the jobs that expire soon: one for all of an endpoint whose deadlines lie in one slot. */
export async function startTimers(timers: ExpiryTimers, jobs: readonly Job[], now: number): Promise<void> {
  const soon = jobs.filter((job) => expiresSoon(job, now));
  await Promise.all(Array.from(timersFor(soon), (timer) => timers.start(timer)));
}
