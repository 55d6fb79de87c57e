import type { Job, RunningJob } from '../jobs/job.ts';
import type { Jobs } from '../jobs/store.ts';

/** Why a worker no longer holds a job. `gone`: the item of the job was removed. */
export type Loss = 'cancelled' | 'timed out' | 'no longer held' | 'gone';

/**
 * Returns whether a job has run for longer than its timeout.
 * @param ran time since the worker took the job, in milliseconds, by the worker's own monotonic clock
 */
export const isOverTime = ({ executionTimeout }: Pick<RunningJob, 'executionTimeout'>, ran: number): boolean =>
  ran > executionTimeout;

/**
 * Stores that a job has run for longer than its timeout. Only the worker that holds the job does so at once; other
 * processes wait for `REPORT_GRACE` after the deadline.
 * @param ran as for `isOverTime`
 */
export async function timeOut({ jobs }: { readonly jobs: Jobs }, taken: RunningJob, ran: number): Promise<void> {
  await jobs.move('timeout', taken, { $now: taken.startedAt + ran });
}

/**
 * Returns why the worker no longer holds a job, or undefined while it does.
 * @param stored the job as it is now
 * @param taken the job when the worker took it
 * @param ran as for `isOverTime`
 */
export function lossOf(stored: Job | undefined, taken: RunningJob, ran: number): Loss | undefined {
  switch (stored?.status) {
    case undefined:
      return 'gone';
    case 'CANCELLED':
      return 'cancelled';
    case 'TIMED_OUT':
      return 'timed out';
    case 'IN_PROGRESS':
      if (stored.worker !== taken.worker || stored.attempt !== taken.attempt) return 'no longer held';
      return isOverTime(stored, ran) ? 'timed out' : undefined;
    default:
      return 'no longer held';
  }
}

/**
 * Checks whether a worker still holds a job that it took.
 *
 * Input: the job as taken, and how long it has run. Output: undefined while the worker holds the job, otherwise the
 * reason.
 *  1. Read the job.
 *  2. Store a job that ran past its deadline as TIMED_OUT, so that its client does not wait for other processes.
 */
export async function hold(ports: { readonly jobs: Jobs }, taken: RunningJob, ran: number): Promise<Loss | undefined> {
  const stored = await ports.jobs.read(taken);
  const loss = lossOf(stored, taken, ran);
  if (loss === 'timed out' && stored?.status === 'IN_PROGRESS') await timeOut(ports, taken, ran);
  return loss;
}
