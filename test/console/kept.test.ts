import { describe, expect, it } from '@jest/globals';
import { jobId } from '../../core/jobs/id.ts';
import { endedAt, keptMinutes, keptUntil, submittedAt } from '../../packages/console/job/kept.ts';

const now = Date.parse('2026-11-23T09:00:00.123Z');
const random = new Uint8Array(26).fill(7);
const id = jobId('run', now, random);
const job = { id, status: 'COMPLETED', attempts: 1, delayTime: 2000, executionTime: 500 } as const;

describe('the id of a job', () => {
  it('contains the time of submission', () => {
    expect(submittedAt(id)).toBe(now);
    expect(submittedAt(jobId('runsync', now, random))).toBe(now);
    expect(submittedAt('<img>')).toBeUndefined();
  });

  it('shows for how long the result is kept', () => {
    expect(keptMinutes(id)).toBe(30);
    expect(keptMinutes(jobId('runsync', now, random))).toBe(1);
  });
});

describe('the end of a job', () => {
  it('is known for a job with one attempt', () => {
    expect(endedAt(job)).toBe(now + 2500);
    expect(keptUntil(job)).toBe(now + 2500 + 30 * 60_000);
  });

  it.each([
    { attempts: 2 },
    { status: 'TIMED_OUT' },
    { status: 'CANCELLED' },
    { status: 'IN_PROGRESS' },
    { id: 'another' },
  ] as const)('is unknown for %j', (difference) => {
    expect(endedAt({ ...job, ...difference })).toBeUndefined();
  });

  it('is the time at which the page saw the job end if the record contains no time', () => {
    expect(keptUntil({ ...job, attempts: 2 }, now)).toBe(now + 30 * 60_000);
    expect(keptUntil({ ...job, attempts: 2 })).toBeUndefined();
  });
});
