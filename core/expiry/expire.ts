import pLimit from 'p-limit';
import type { Clock } from '../clock.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { finalize } from '../jobs/ending.ts';
import type { Job, JobKey, QueuedJob } from '../jobs/job.ts';
import type { Jobs } from '../jobs/store.ts';
import { expiryTimer, SWEEP_AT_ONCE } from '../limits.ts';

/** The result of a check of jobs that might be overdue. */
export interface Checked {
  /** Number of jobs that the check ended. */
  readonly ended: number;
  /** Jobs that are still waiting or running. */
  readonly alive: readonly Job[];
}

/** Ends each overdue job and stores its final status. */
export async function endOverdue(
  ports: { readonly clock: Clock; readonly endpoints: Endpoints; readonly jobs: Jobs },
  endpoint: string,
  ids: readonly string[],
): Promise<Checked> {
  // Most of the jobs ended long ago, and a read costs less than a write with a failed condition.
  const check = async (key: JobKey) => {
    const job = await ports.jobs.read(key);
    // Read again for each waiting job: with an older copy of the endpoint, a purged job would expire instead.
    const purge = job?.status === 'IN_QUEUE' ? await ports.endpoints.read(endpoint) : undefined;
    const present = job && (await finalize(ports, job, purge));
    return { present, hasEnded: present !== job };
  };
  const checked = await pLimit(SWEEP_AT_ONCE).map(ids, (id) => check({ endpoint, id }));
  return {
    ended: checked.filter(({ hasEnded }) => hasEnded).length,
    alive: checked.flatMap(({ present }) => (present && !('finishedAt' in present) ? [present] : [])),
  };
}

/**
 * Ends those jobs of a timer whose `ttl` has run out.
 *
 * Input: the timer. Output: how many jobs this call ended. A job that was taken or retried or has ended since the
 * timer started does not change. A second call with the same timer changes nothing.
 * @throws the error of a read or a write; a repeated call checks the remaining jobs
 */
export async function expire(
  ports: { readonly clock: Clock; readonly endpoints: Endpoints; readonly jobs: Jobs },
  { endpoint: id, jobs }: Pick<ExpiryTimer, 'endpoint' | 'jobs'>,
): Promise<number> {
  const isDeployed = (await ports.endpoints.read(id)) !== undefined;
  return isDeployed ? (await endOverdue(ports, id, jobs)).ended : 0;
}

/**
 * A timer ends waiting jobs soon after their `ttl` has run out, because the sweeper runs only once a minute.
 * Timers are an optimization: the sweeper also ends the jobs of a lost timer, and a timer that runs twice changes
 * nothing.
 */
export interface ExpiryTimer {
  readonly endpoint: string;
  /** Ids of jobs, at most `expiryTimer.jobs`. */
  readonly jobs: readonly string[];
  /** When the timer calls `expire`, in milliseconds since the epoch; a past time means immediately. */
  readonly at: number;
}

export interface ExpiryTimers {
  /** Starts a timer. Never throws: a timer that could not be started is logged, and the sweeper ends its jobs. */
  start(timer: ExpiryTimer): Promise<void>;
}

const { ahead, slot, margin, jobs: maxJobs } = expiryTimer;

/** Returns whether the job's `ttl` might run out before the sweeper starts a timer for it. */
export const expiresSoon = (job: Job, now: number): job is QueuedJob =>
  job.status === 'IN_QUEUE' && job.queueDeadline <= now + ahead;

/**
 * Returns the end of the slot that contains the deadline plus a margin, because the clocks of the timer and the
 * function can differ.
 */
const endOfSlot = ({ queueDeadline }: QueuedJob) => Math.ceil((queueDeadline + margin) / slot) * slot;

function* timersFor(jobs: readonly QueuedJob[]): Iterable<ExpiryTimer> {
  for (const [endpoint, ofEndpoint] of Map.groupBy(jobs, (job) => job.endpoint))
    for (const [at, together] of Map.groupBy(ofEndpoint, endOfSlot))
      for (let from = 0; from < together.length; from += maxJobs)
        yield { endpoint, jobs: together.slice(from, from + maxJobs).map(({ id }) => id), at };
}

/**
 * Starts timers for the jobs that expire soon. Jobs of one endpoint with deadlines in the same slot share a timer.
 */
export async function startTimers(timers: ExpiryTimers, jobs: readonly Job[], now: number): Promise<void> {
  const soon = jobs.filter((job) => expiresSoon(job, now));
  await Promise.all(Array.from(timersFor(soon), (timer) => timers.start(timer)));
}
