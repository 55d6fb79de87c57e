import { REPORT_GRACE } from '../limits.ts';
import type { World } from '../world.ts';
import type { RunningJob } from './job.ts';
import { tidyAfter } from './tidy.ts';

/**
 * Brings back a job from a worker that is lost, or that gives it up; after its last attempt it is FAILED instead.
 * @param leaseEnds when the worker's lease ended, in milliseconds; in the past
 * @returns whether the job is in the queue again
 */
export async function rescue(
  { clock, jobs }: Pick<World, 'clock' | 'jobs'>,
  job: RunningJob,
  leaseEnds: number,
): Promise<boolean> {
  const now = clock.now();
  const facts = {
    $now: now,
    $graceStart: now - REPORT_GRACE,
    $worker: job.worker,
    $attempt: job.attempt,
    $leaseEnds: leaseEnds,
  };
  const requeued = await jobs.move('requeue', job, facts);
  if (!requeued.moved) await jobs.move('lose', job, { ...facts, $removeAfter: tidyAfter(now + job.retention) });
  return requeued.moved;
}
