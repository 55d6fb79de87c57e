import { describe, expect, it } from '@jest/globals';
import type { Job, JobStatus } from '../../core/jobs/job.ts';
import { apply, permits } from '../../core/jobs/machine.ts';
import { type TransitionName, transitions } from '../../core/jobs/transitions.ts';
import { facts, favourable, jobs } from './job-in-each-status.ts';

const { IN_QUEUE: queued, IN_PROGRESS: running } = jobs;

/** The transitions of the contract and docs/explanation/jobs.md, repeated here as the expected values. */
const legal: Readonly<Record<TransitionName, readonly [from: readonly JobStatus[], to?: JobStatus]>> = {
  take: [['IN_QUEUE'], 'IN_PROGRESS'],
  expire: [['IN_QUEUE'], 'TIMED_OUT'],
  purge: [['IN_QUEUE'], 'CANCELLED'],
  cancelQueued: [['IN_QUEUE'], 'CANCELLED'],
  cancelRunning: [['IN_PROGRESS'], 'CANCELLED'],
  progress: [['IN_PROGRESS'], 'IN_PROGRESS'],
  complete: [['IN_PROGRESS'], 'COMPLETED'],
  fail: [['IN_PROGRESS'], 'FAILED'],
  timeout: [['IN_PROGRESS'], 'TIMED_OUT'],
  requeue: [['IN_PROGRESS'], 'IN_QUEUE'],
  lose: [['IN_PROGRESS'], 'FAILED'],
  retry: [['FAILED', 'TIMED_OUT'], 'IN_QUEUE'],
  limitRetention: [['IN_QUEUE', 'IN_PROGRESS']],
  expireSooner: [['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT']],
};

describe('the transition table', () => {
  const names = Object.keys(transitions) as TransitionName[];
  const cases = names.flatMap((name) => (Object.keys(jobs) as JobStatus[]).map((status) => [name, status] as const));

  it.each(cases)('permits %s from %s only if the contract does', (name, status) => {
    const [from, to = status] = legal[name];
    const given = { ...facts, ...favourable[name], ...(status === 'TIMED_OUT' && { $finishedAt: 11_000 }) };
    const job = name === 'lose' && status === 'IN_PROGRESS' ? { ...running, attemptLimit: 1 } : jobs[status];
    expect(permits(name, job, given)).toBe(from.includes(status));
    if (from.includes(status)) expect(apply(name, job, given).status).toBe(to);
    else expect(() => apply(name, job, given)).toThrow(`Job j1 is ${status}: ${name} is not permitted.`);
  });
});

describe('the guards', () => {
  it.each([
    ['take', queued, { $now: 10_999 }, true],
    ['take', queued, { $now: 11_000 }, false],
    ['take', queued, { $generation: 1 }, false],
    ['expire', queued, { $now: 10_999 }, false],
    ['expire', queued, { $now: 11_000 }, true],
    ['purge', queued, { $generation: 0 }, false],
    ['purge', queued, { $generation: 1 }, true],
    ['cancelQueued', queued, { $now: 10_999 }, true],
    ['cancelQueued', queued, { $now: 11_000 }, false],
    ['cancelQueued', queued, { $generation: 1 }, false],
    ['cancelRunning', running, { $graceStart: 8_000 }, true],
    ['cancelRunning', running, { $graceStart: 8_001 }, false],
    ['progress', running, { $attempt: 2 }, false],
    ['complete', running, { $worker: 'w2' }, false],
    ['complete', running, { $attempt: 2 }, false],
    ['complete', running, { $graceStart: 8_000 }, true],
    ['complete', running, { $graceStart: 8_001 }, false],
    ['fail', running, { $worker: 'w2' }, false],
    ['fail', running, { $attempt: 0 }, false],
    ['fail', running, { $graceStart: 8_001 }, false],
    ['timeout', running, { $now: 8_000 }, false],
    ['timeout', running, { $now: 8_001 }, true],
    ['requeue', running, { $leaseEnds: 2_000 }, false],
    ['requeue', running, { $attempt: 2 }, false],
    ['requeue', running, { $worker: 'w2' }, false],
    ['requeue', running, { $graceStart: 8_000 }, true],
    ['requeue', running, { $graceStart: 8_001 }, false],
    ['requeue', { ...running, attemptLimit: 1 }, {}, false],
    ['lose', running, {}, false],
    ['lose', { ...running, attemptLimit: 1 }, {}, true],
    ['lose', { ...running, attemptLimit: 1 }, { $leaseEnds: 2_000 }, false],
    ['lose', { ...running, attemptLimit: 1 }, { $graceStart: 8_001 }, false],
    ['retry', jobs.FAILED, { $now: 61_999 }, true],
    ['retry', jobs.FAILED, { $now: 62_000 }, false],
    ['limitRetention', queued, { $retention: 59_999 }, true],
    ['limitRetention', queued, { $retention: 60_000 }, false],
    ['limitRetention', running, { $queuedAt: 1_001 }, false],
    ['expireSooner', jobs.COMPLETED, { $expiresAt: 61_999 }, true],
    ['expireSooner', jobs.COMPLETED, { $expiresAt: 62_000 }, false],
    ['expireSooner', jobs.COMPLETED, { $finishedAt: 2_001 }, false],
  ] as const)('evaluate %s of %j with %j as %s', (name, job, changed, expected) => {
    expect(permits(name, job as Job, { ...facts, ...changed })).toBe(expected);
  });
});

describe('the transition', () => {
  it('`take` counts the attempt and sets the deadline from the job', () => {
    expect(running).toMatchObject({ worker: 'w1', attempt: 1, startedAt: 2_000, executionDeadline: 8_000 });
  });

  it('`complete` without output removes the output that `progress` stored', () => {
    const reported = apply('progress', running, facts);
    expect(reported).toHaveProperty('output', { inline: '1' });
    expect(apply('complete', reported, { ...facts, $output: undefined })).not.toHaveProperty('output.inline');
  });

  it('`requeue` keeps the attempt, counts the rescue, restarts the wait, and removes the attributes of the run', () => {
    const back = apply('requeue', running, facts);
    expect(back).toMatchObject({
      attempt: 1,
      rescues: 1,
      queuedAt: 1_000,
      queueDeadline: 12_000,
      requeued: 'GIVEN_UP',
    });
    expect(apply('take', back, facts)).not.toHaveProperty('requeued');
    for (const field of ['worker', 'startedAt', 'executionDeadline', 'output']) expect(back).not.toHaveProperty(field);
  });

  it('`lose` of the last attempt ends the job as FAILED with a code and an error message', () => {
    expect(apply('lose', { ...running, attemptLimit: 1 } as Job, facts)).toMatchObject({
      code: 'WORKER_LOST',
      error: { inline: expect.stringContaining('each of 3 attempts') },
    });
  });

  it('`expire` or `timeout` ends the job at its deadline, even if the sweeper finds it later', () => {
    expect(apply('expire', queued, { $now: 50_000 })).toMatchObject({ finishedAt: 11_000, expiresAt: 71_000 });
    expect(apply('timeout', running, { $now: 50_000 })).toMatchObject({ finishedAt: 8_000, expiresAt: 68_000 });
  });

  it('`retry` keeps id, input and attempt, and allows three more', () => {
    const again = apply('retry', jobs.FAILED, { ...facts, $generation: 4 });
    expect(again).toMatchObject({ id: 'j1', input: { inline: '{}' }, attempt: 1, attemptLimit: 4, generation: 4 });
    for (const field of ['output', 'error', 'code', 'finishedAt', 'expiresAt']) expect(again).not.toHaveProperty(field);
  });
});
