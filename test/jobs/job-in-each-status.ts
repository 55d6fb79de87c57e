/** One job in each status, and facts that allow its transitions. */
import type { Job, JobStatus } from '../../core/jobs/job.ts';
import { apply } from '../../core/jobs/machine.ts';
import type { FactValues, TransitionName } from '../../core/jobs/transitions.ts';
import { REPORT_GRACE } from '../../core/limits.ts';
import { queuedJob } from './queued-job.ts';

export const facts: FactValues = {
  $now: 2_000,
  $graceStart: 2_000 - REPORT_GRACE,
  $worker: 'w1',
  $attempt: 1,
  $generation: 0,
  $purgedAt: 0,
  $leaseEnds: 1_999,
  $reason: 'GIVEN_UP',
  $output: { inline: '1' },
  $error: { inline: 'no' },
  $code: 'WORKER_ERROR',
  $chunks: 3,
  $workerTime: 7,
  $revision: undefined,
  $aggregates: undefined,
  $removeAfter: 99,
  $retention: 1_000,
  $expiresAt: 3_000,
  $queuedAt: 1_000,
  $finishedAt: 2_000,
};

/** Differences from `facts` that satisfy every guard of a transition for the jobs below. */
export const favourable: Partial<Record<TransitionName, Partial<FactValues>>> = {
  expire: { $now: 11_000 },
  purge: { $generation: 1 },
  timeout: { $now: 8_001 },
};

const queued = queuedJob(1_000);
const running = apply('take', queued, facts);

export const jobs = {
  IN_QUEUE: queued,
  IN_PROGRESS: running,
  COMPLETED: apply('complete', running, facts),
  FAILED: apply('fail', running, facts),
  CANCELLED: apply('cancelRunning', running, facts),
  TIMED_OUT: apply('expire', queued, { $now: 11_000 }),
} as const satisfies Record<JobStatus, Job>;
