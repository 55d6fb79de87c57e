import { describe, expect, it } from '@jest/globals';
import { assertKept, ending, type LastPurge } from '../../core/jobs/ending.ts';
import type { Job } from '../../core/jobs/job.ts';
import { apply } from '../../core/jobs/machine.ts';
import { REPORT_GRACE } from '../../core/limits.ts';
import { JobExpired } from '../../core/requests/errors.ts';
import { queuedJob } from './queued-job.ts';

const observe = (job: Job, purge: LastPurge, now: number): Job =>
  ending(job, purge, now, {
    purge: (facts) => apply('purge', job, facts),
    expire: (facts) => apply('expire', job, facts),
    timeout: (facts) => apply('timeout', job, facts),
  }) ?? job;

const endpoint = { generation: 0, purgedAt: 0 };
const queued = queuedJob(0);
const running = apply('take', queued, {
  $now: 1_000,
  $worker: 'w',
  $generation: 0,
  $revision: undefined,
  $aggregates: undefined,
});
const completed = apply('complete', running, {
  $now: 2_000,
  $graceStart: 0,
  $worker: 'w',
  $attempt: 1,
  $output: undefined,
  $chunks: undefined,
  $workerTime: undefined,
  $removeAfter: 1,
});

describe('a stored job', () => {
  it.each([
    ['waits until its ttl', queued, 9_999, 'IN_QUEUE'],
    ['is TIMED_OUT at its ttl', queued, 10_000, 'TIMED_OUT'],
    ['runs until its deadline', running, 7_000, 'IN_PROGRESS'],
    ['is IN_PROGRESS within the grace for its report', running, 7_000 + REPORT_GRACE, 'IN_PROGRESS'],
    ['is TIMED_OUT after the grace', running, 7_001 + REPORT_GRACE, 'TIMED_OUT'],
    ['remains COMPLETED', completed, 1e12, 'COMPLETED'],
  ] as const)('%s', (_, job, now, status) => {
    expect(observe(job, endpoint, now).status).toBe(status);
  });

  it('is CANCELLED by a later purge, unless it runs', () => {
    const purged = { generation: 1, purgedAt: 500 };
    expect(observe(queued, purged, 600)).toMatchObject({ status: 'CANCELLED', code: 'PURGED', finishedAt: 500 });
    expect(observe(running, purged, 1_600).status).toBe('IN_PROGRESS');
  });

  it('is kept for its retention to the millisecond', () => {
    expect(() => assertKept(completed, 61_999)).not.toThrow();
    expect(() => assertKept(completed, 62_000)).toThrow(JobExpired);
    expect(() => assertKept(running, 1e12)).not.toThrow();
  });
});
