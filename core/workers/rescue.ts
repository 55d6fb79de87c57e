import type { Clock } from '../clock.ts';
import { finalize, removeAfterEnd } from '../jobs/ending.ts';
import type { RequeueReason, RunningJob } from '../jobs/job.ts';
import type { Jobs } from '../jobs/store.ts';
import { REPORT_GRACE } from '../limits.ts';

/**
 * Requeues a job whose worker is lost or gives up the job. A job after its last attempt becomes FAILED instead, and
 * a job past its deadline becomes TIMED_OUT.
 * @param leaseEnds when the worker's lease ended, in milliseconds; in the past
 * @param generation the endpoint's current generation, which the job gets as if it had been submitted now
 * @param reason why the attempt ended, for the history
 * @returns whether the job is in the queue, because of this or another call
 */
export async function rescue(
  ports: { readonly clock: Clock; readonly jobs: Jobs },
  job: RunningJob,
  leaseEnds: number,
  generation: number,
  reason: RequeueReason = 'WORKER_LOST',
): Promise<boolean> {
  const { clock, jobs } = ports;
  const present = await finalize(ports, job);
  if (present?.status !== 'IN_PROGRESS') return present?.status === 'IN_QUEUE';
  const now = clock.now();
  const facts = {
    $now: now,
    $graceStart: now - REPORT_GRACE,
    $worker: job.worker,
    $attempt: job.attempt,
    $leaseEnds: leaseEnds,
  };
  const requeue = { ...facts, $generation: generation, $reason: reason };
  const { moved, job: after } = await jobs.move('requeue', job, requeue);
  // An earlier attempt of this write might have succeeded although its response was lost.
  if (moved || after?.status === 'IN_QUEUE') return true;
  await jobs.move('lose', job, { ...facts, $removeAfter: removeAfterEnd(now + job.retention) });
  return false;
}
