import { someAtOnce } from '../at-once.ts';
import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { finalize } from '../jobs/ending.ts';
import type { Job, JobKey, QueuedJob } from '../jobs/job.ts';
import type { Jobs } from '../jobs/store.ts';
import { expiryTimer, SWEEP_AT_ONCE } from '../limits.ts';

/** The result of a check of jobs whose time may be over. */
export interface Checked {
  /** How many ends the check stored. */
  readonly ended: number;
  /** Jobs that still wait or run. */
  readonly alive: readonly Job[];
}

/** Stores the end of each job whose time is over. */
export async function endOverdue(
  ports: { readonly clock: Clock; readonly jobs: Jobs },
  endpoint: Endpoint,
  ids: readonly string[],
): Promise<Checked> {
  // Most have ended long ago: a read costs less than a write whose condition fails.
  const check = async (key: JobKey) => {
    const job = await ports.jobs.read(key);
    const present = job && (await finalize(ports, job, endpoint));
    return { present, hasEnded: present !== job };
  };
  const checked = await someAtOnce(ids, SWEEP_AT_ONCE, (id) => check({ endpoint: endpoint.id, id }));
  return {
    ended: checked.filter(({ hasEnded }) => hasEnded).length,
    alive: checked.flatMap(({ present }) => (present && !('finishedAt' in present) ? [present] : [])),
  };
}

/**
 * Ends the jobs of a timer whose `ttl` has run out.
 *
 * Input: the timer. Output: how many jobs have ended by this call. A job that was taken, retried or has ended since the
 * timer was started stays as it is. A second call with the same timer changes nothing.
 * @throws the error of a read or a write; a repeated call checks the other jobs
 */
export async function expire(
  ports: { readonly clock: Clock; readonly endpoints: Endpoints; readonly jobs: Jobs },
  { endpoint: id, jobs }: Pick<ExpiryTimer, 'endpoint' | 'jobs'>,
): Promise<number> {
  const endpoint = await ports.endpoints.readNow(id);
  return endpoint ? (await endOverdue(ports, endpoint, jobs)).ended : 0;
}

/**
 * A timer ends waiting jobs soon after their `ttl` has run out, because the sweeper runs only once a minute. Timers are
 * a convenience: a lost timer changes nothing that is stored, a second run neither, and the sweeper ends the other
 * jobs.
 */
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

/** Starts timers for the jobs that expire soon: one for all jobs of an endpoint whose deadlines lie in one slot. */
export async function startTimers(timers: ExpiryTimers, jobs: readonly Job[], now: number): Promise<void> {
  const soon = jobs.filter((job) => expiresSoon(job, now));
  await Promise.all(Array.from(timersFor(soon), (timer) => timers.start(timer)));
}
