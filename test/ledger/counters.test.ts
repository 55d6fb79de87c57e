import { describe, expect, it } from '@jest/globals';
import { type Counters, countsIn, hasComeToWait, sumOf, zeroCounters } from '../../core/endpoints/counts.ts';
import { duesOf as duesAt } from '../../core/expiry/due.ts';
import type { Job, JobChange, RunningJob } from '../../core/jobs/job.ts';
import { deltaOf } from '../../core/ledger/delta.ts';
import { REPORT_GRACE } from '../../core/limits.ts';
import { jobs } from '../jobs/job-in-each-status.ts';

const { IN_QUEUE: queued, COMPLETED, FAILED, CANCELLED, TIMED_OUT } = jobs;
const running = jobs.IN_PROGRESS as RunningJob;
const low: Job = { ...queued, lowPriority: true };
const lowRunning: Job = { ...running, lowPriority: true };
const progressed: Job = { ...running, output: { inline: '1' } };
const rescued: Job = { ...queued, rescues: 1 };
const newer: Job = { ...queued, generation: 2 };
const purged: Job = { ...CANCELLED, generation: 0 };

describe('the counters for a job', () => {
  it.each<[is: string, before: Job | undefined, after: Job | undefined, changes: Partial<Counters>]>([
    ['is accepted', undefined, queued, { inQueue: 1 }],
    ['is accepted with low priority', undefined, low, { inQueue: 1, lowInQueue: 1 }],
    ['is taken', queued, running, { inQueue: -1, inProgress: 1 }],
    ['is taken with low priority', low, lowRunning, { inQueue: -1, lowInQueue: -1, inProgress: 1 }],
    ['shows its progress', running, progressed, {}],
    ['completes', running, COMPLETED, { inProgress: -1, completed: 1 }],
    ['fails', running, FAILED, { inProgress: -1, failed: 1 }],
    ['times out', running, TIMED_OUT, { inProgress: -1, failed: 1 }],
    ['is cancelled', running, CANCELLED, { inProgress: -1 }],
    ['is requeued from a lost worker', running, rescued, { inProgress: -1, inQueue: 1, retried: 1 }],
    ['is retried', FAILED, { ...queued, retries: 1 }, { inQueue: 1, retried: 1 }],
    ['is removed after its end', COMPLETED, undefined, {}],
    ['is removed while it waits', queued, undefined, { inQueue: -1 }],
    ['is accepted after two purges', undefined, newer, { 'inQueue#2': 1 }],
    [
      'is accepted with low priority after two purges',
      undefined,
      { ...newer, lowPriority: true },
      { 'inQueue#2': 1, 'lowInQueue#2': 1 },
    ],
    [
      'is requeued from a lost worker into a newer queue',
      running,
      { ...newer, rescues: 1 },
      { inProgress: -1, 'inQueue#2': 1, retried: 1 },
    ],
    ['is purged', queued, purged, { inQueue: -1 }],
  ])('change as defined when it %s', (_, before, after, expected) => {
    expect(deltaOf({ sequence: '1', before, after })).toEqual({ ...zeroCounters, ...expected });
  });
});

describe('the counts of an endpoint', () => {
  const accepted = deltaOf({ sequence: '1', after: newer });
  const ended = deltaOf({ sequence: '2', before: queued, after: purged });

  it('are the counts of its current generation', () => {
    const counters = sumOf([
      accepted,
      deltaOf({ sequence: '3', after: low }),
      deltaOf({ sequence: '4', after: running }),
    ]);
    expect(countsIn(counters, 0)).toMatchObject({ inQueue: 1, lowInQueue: 1, inProgress: 1 });
    expect(countsIn(counters, 1)).toMatchObject({ inQueue: 0, lowInQueue: 0, inProgress: 1 });
    expect(countsIn(counters, 2)).toMatchObject({ inQueue: 1, lowInQueue: 0, inProgress: 1 });
  });

  it('request workers for arrived jobs, even if jobs have left an older queue', () => {
    expect(hasComeToWait(accepted)).toBe(true);
    expect(hasComeToWait(sumOf([accepted, ended, ended]))).toBe(true);
    expect(hasComeToWait(ended)).toBe(false);
    expect(hasComeToWait(deltaOf({ sequence: '1', after: low }))).toBe(false);
    expect(hasComeToWait(deltaOf({ sequence: '1', after: running }))).toBe(false);
  });
});

describe('the failures of an endpoint', () => {
  it('do not decrease for a failed job that is retried, and count its next failure', () => {
    const again = { retries: 1 };
    const life: (Job | undefined)[] = [undefined, queued, running, FAILED];
    life.push({ ...queued, ...again }, { ...running, ...again }, { ...TIMED_OUT, ...again }, undefined);
    const failed = life.map(
      (_, n) =>
        sumOf(life.slice(0, n).map((before, m) => deltaOf({ sequence: '1', before, after: life[m + 1] }))).failed,
    );
    expect(failed).toEqual([0, 0, 0, 1, 1, 1, 2, 2]);
  });
});

describe('the time when a job is due', () => {
  const change = (before: Job | undefined, after: Job | undefined) => ({ sequence: '1', before, after });

  const duesOf = (changes: readonly JobChange[]) => duesAt(changes, 0);

  it('is the end of its ttl, or of its run time and grace, rounded up to the next minute', () => {
    const waits: Job = { ...queued, queueDeadline: 120_000 };
    expect(duesOf([change(undefined, waits)])).toEqual([{ job: 'j1', minute: 2 }]);
    expect(duesOf([change(undefined, { ...waits, queueDeadline: 120_001 })])).toEqual([{ job: 'j1', minute: 3 }]);
    const runs: RunningJob = { ...running, executionDeadline: 120_000 - REPORT_GRACE - 1 };
    expect(duesOf([change(queued, runs)])).toEqual([{ job: 'j1', minute: 2 }]);
    expect(duesOf([change(queued, { ...runs, executionDeadline: runs.executionDeadline + 1 })])).toEqual([
      { job: 'j1', minute: 3 },
    ]);
  });

  it('is not stored for a job that arrived and ended in one batch, has ended, or has a stored deadline', () => {
    expect(duesOf([change(undefined, queued), change(queued, running), change(running, COMPLETED)])).toEqual([]);
    expect(duesOf([change(running, FAILED)])).toEqual([]);
    expect(duesOf([change(running, progressed)])).toEqual([]);
  });
});
