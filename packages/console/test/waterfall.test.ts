import { describe, expect, it } from '@jest/globals';
import type { EndedJob } from '../api/management-types.ts';
import type { Job } from '../job/job.ts';
import { opensOn } from '../job/opens-on.ts';
import { placeOf, type Step, spanOf, waterfall } from '../job/waterfall.ts';

const BEGIN = Date.parse('2026-01-02T03:04:00Z');
const at = (seconds: number) => new Date(BEGIN + seconds * 1000).toISOString();
const stage = (name: 'QUEUED' | 'IMAGE' | 'WORKER' | 'TAKE', from: number, to: number) => ({
  stage: name,
  startedAt: at(from),
  duration: (to - from) * 1000,
});

const job: Job = {
  id: 'j',
  status: 'COMPLETED',
  delayTime: 10_000,
  executionTime: 5000,
  attempts: 1,
  workerId: 'w-1',
  timeline: [stage('QUEUED', 0, 10), stage('TAKE', 10, 10)],
  text: '',
};

const end: EndedJob = {
  id: 'j',
  endpoint: 'echo',
  status: 'COMPLETED',
  createdAt: at(0),
  startedAt: at(10),
  endedAt: at(15),
  delayTime: 10_000,
  executionTime: 5000,
  attempts: 1,
  rescues: 0,
  retries: 0,
  lowPriority: false,
  worker: 'w-1',
  owner: 'ada',
};

/** What a row of the table shows: name, kind, seconds from the begin, and detail. */
const rows = (steps: readonly Step[]) =>
  steps.map(({ name, kind, from, time, detail, isOpen }) =>
    [name, kind, (from - BEGIN) / 1000, time === undefined ? '-' : time / 1000, detail, isOpen && 'open']
      .filter((part) => part !== '' && part !== false && part !== undefined)
      .join(' '),
  );

const lost = {
  attempt: 1,
  worker: 'w-0',
  startedAt: at(2),
  endedAt: at(5),
  executionTime: 3000,
  reason: 'WORKER_LOST',
} as const;

describe('the steps of a job', () => {
  it('are a wait and a run for a worker that was ready', () => {
    const steps = waterfall(job, [], '7 chunks');
    expect(rows(steps)).toEqual(['Queued wait 0 10', 'Run ran 10 5 7 chunks']);
    expect(steps.at(-1)?.attempt).toEqual({ number: 1, worker: 'w-1', from: BEGIN + 10_000, to: BEGIN + 15_000 });
  });

  it('are the stages of a cold start', () => {
    const timeline = [stage('QUEUED', 0, 1), stage('IMAGE', 1, 6), stage('WORKER', 6, 9), stage('TAKE', 9, 10)];
    expect(rows(waterfall({ ...job, status: 'IN_PROGRESS', timeline }, []))).toEqual([
      'Queued wait 0 1',
      'Image start 1 5 The worker pulled its images',
      'Worker start start 6 3 The container started, and loaded its model',
      'Take wait 9 1 The worker took the job',
      'Run ran 10 5 open',
    ]);
  });

  it('have only the wait while no worker has the job, whose last stage is open', () => {
    const waiting = { ...job, status: 'IN_QUEUE', executionTime: 0, attempts: 0, workerId: undefined } as const;
    const { workerId: _, ...queued } = waiting;
    expect(rows(waterfall({ ...queued, timeline: [stage('QUEUED', 0, 4), stage('IMAGE', 4, 10)] }, []))).toEqual([
      'Queued wait 0 4',
      'Image start 4 6 open',
      'Run none 10 - No worker has taken the job yet',
    ]);
    expect(rows(waterfall({ ...queued, status: 'CANCELLED', timeline: [stage('QUEUED', 0, 10)] }, []))).toEqual([
      'Queued wait 0 10',
      'Run none 10 - No worker took the job',
    ]);
  });

  it('have each earlier attempt with its worker and why it ended', () => {
    const steps = waterfall({ ...job, attempts: 2 }, [{ ...end, attempts: 2, earlierAttempts: [lost] }]);
    expect(rows(steps)).toEqual([
      'Queued wait 0 2',
      'Attempt 1 failed 2 3 WORKER_LOST: the worker did not renew its lease',
      'Queued again wait 5 5',
      'Attempt 2 ran 10 5',
    ]);
    expect(steps[1]?.attempt).toEqual({ number: 1, worker: 'w-0', from: BEGIN + 2000, to: BEGIN + 5000 });
  });

  it('say how many earlier attempts the history does not have yet', () => {
    expect(rows(waterfall({ ...job, status: 'IN_PROGRESS', attempts: 3 }, []))[0]).toBe(
      'Queued wait 0 10 With 2 earlier attempts, shown when the job has ended',
    );
  });

  it('begin with those before a retry', () => {
    const failed = { ...end, status: 'FAILED', code: 'WORKER_ERROR' } as const;
    const retried: Job = { ...job, attempts: 2, timeline: [stage('QUEUED', 30, 40)] };
    const expected = [
      'Queued wait 0 10',
      'Attempt 1 failed 10 5 WORKER_ERROR',
      'Queued wait 30 10',
      'Attempt 2 ran 40 5',
    ];
    expect(rows(waterfall(retried, [failed]))).toEqual(expected);
    const second = { ...end, startedAt: at(40), endedAt: at(45), attempts: 2, retries: 1 };
    expect(rows(waterfall(retried, [failed, second]))).toEqual(expected);
    expect(rows(waterfall(undefined, [failed, second]))).toEqual(expected);
  });

  it('end with the webhook, whose time is not stored', () => {
    const webhook = { state: 'FAILED', attempts: 8, lastStatus: 503 } as const;
    expect(rows(waterfall({ ...job, webhook }, [])).at(-1)).toBe(
      'Webhook not-sent 15 - FAILED · 8 attempts · HTTP 503',
    );
    expect(waterfall({ ...job, status: 'IN_PROGRESS', webhook }, [])).toHaveLength(2);
  });

  it('are placed on one axis, also if no time has passed', () => {
    const steps = waterfall(job, []);
    const span = spanOf(steps);
    expect(span).toEqual({ from: BEGIN, time: 15_000 });
    expect(steps.map((step) => Math.round(placeOf(step, span).width))).toEqual([67, 33]);
    const none = waterfall({ ...job, delayTime: 0, executionTime: 0, timeline: [stage('QUEUED', 0, 0)] }, []);
    expect(none.map((step) => placeOf(step, spanOf(none)))).toEqual([
      { start: 0, width: 0 },
      { start: 0, width: 0 },
    ]);
  });
});

describe('a job', () => {
  it.each([
    ['IN_QUEUE', 0, false, false, 'input'],
    ['IN_PROGRESS', 1, false, false, 'logs'],
    ['IN_PROGRESS', 1, true, false, 'stream'],
    ['COMPLETED', 1, true, false, 'output'],
    ['COMPLETED', 1, true, true, 'stream'],
    ['FAILED', 1, true, false, 'logs'],
    ['TIMED_OUT', 0, false, false, 'input'],
    ['CANCELLED', 1, false, false, 'logs'],
  ] as const)('that is %s after %i attempts opens on its %s', (status, attempts, hasStreamed, sawEnd, tab) => {
    expect(opensOn({ status, attempts }, { hasStreamed, sawEnd })).toBe(tab);
  });
});
