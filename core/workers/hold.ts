import type { Clock } from '../clock.ts';
import type { Job, RunningJob } from '../jobs/job.ts';
import type { Jobs } from '../jobs/store.ts';
import { REPORT_GRACE } from '../limits.ts';

/** Why a worker no longer holds a job. */
export type Loss = 'cancelled' | 'timed out' | 'taken over' | 'gone';

/**
 * Returns whether the grace period after the deadline is over. Until its end, the worker can continue, because its
 * report still counts.
 */
const isOverdue = (job: RunningJob, now: number) => job.executionDeadline < now - REPORT_GRACE;

/**
 * Returns why the worker no longer holds a job, or undefined while it does.
 * @param stored the job as it is now
 * @param taken the job when the worker took it
 */
export function lossOf(stored: Job | undefined, taken: RunningJob, now: number): Loss | undefined {
  switch (stored?.status) {
    case undefined:
      return 'gone';
    case 'CANCELLED':
      return 'cancelled';
    case 'TIMED_OUT':
      return 'timed out';
    case 'IN_PROGRESS':
      if (stored.worker !== taken.worker || stored.attempt !== taken.attempt) return 'taken over';
      return isOverdue(stored, now) ? 'timed out' : undefined;
    default:
      return 'taken over';
  }
}

/**
 * Checks whether a worker still holds a job that it took.
 *
 * Input: the job as taken. Output: undefined while the worker holds the job, otherwise the reason.
 *  1. Read the job.
 *  2. Store a job that ran past its deadline as TIMED_OUT, so that its client does not wait for the sweeper.
 */
export async function hold(
  ports: { readonly clock: Clock; readonly jobs: Jobs },
  taken: RunningJob,
): Promise<Loss | undefined> {
  const stored = await ports.jobs.read(taken);
  const now = ports.clock.now();
  const loss = lossOf(stored, taken, now);
  if (loss === 'timed out' && stored?.status === 'IN_PROGRESS')
    await ports.jobs.move('timeout', taken, { $now: now - REPORT_GRACE });
  return loss;
}
