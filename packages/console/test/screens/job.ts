/** States of a job's page, with each status and each tab. */
import type { Page } from 'playwright-core';
import type { Drain, JobRecord, WebhookDelivery } from '../../api/job-types.ts';
import type { EndpointLog } from '../../api/management-types.ts';
import { ago, jobId, MINUTE, workerId } from './clock.ts';
import {
  coldStart,
  completed,
  ended,
  failed as failedJob,
  history,
  ID,
  log,
  lost,
  queued,
  running,
  stages,
} from './jobs.ts';
import { picture } from './png.ts';
import { held, ok, press, refused, type Screen, text } from './screen.ts';

const PATH = `/endpoints/chat/jobs/${ID}`;
const STATUS = `GET /v2/chat/status/${ID}`;
const STREAM = `GET /v2/chat/stream/${ID}`;

const HISTORY = 'GET /v1/jobs';
const WORKER_LOG = 'GET /v1/endpoints/chat/logs';

const record = (job: JobRecord) => ({ [STATUS]: ok<'JobRecord'>(job) });

const delivery = (webhook: WebhookDelivery) => record({ ...completed, webhook });

const sentence = 'Air scatters short waves more than long ones , so the sky is blue by day and red at dusk .';

const drain = (status: Drain['status'], tokens: readonly string[]): Drain => ({
  status,
  stream: tokens.map((token, index) => ({
    output: { choices: [{ delta: { content: `${token} ` } }] },
    metrics: { stream_index: index, running: 1 },
  })),
});

/** What the worker of a lost attempt printed. */
const workerLog: EndpointLog = {
  lines: ['loading pipeline stabilityai/sdxl-base', 'CUDA error: an illegal memory access was encountered'].map(
    (message, n) => ({ time: ago(37_000 - 9000 * n), source: 'worker', worker: workerId(1), message }),
  ),
  nextCursor: 'bmV4dA',
};

/** A job whose third attempt failed. */
const afterLost = {
  ...record({
    ...failedJob,
    delayTime: 30_000,
    executionTime: 7100,
    attempts: 3,
    timeline: stages(['QUEUED', 29_700], ['TAKE', 300]),
  }),
  [HISTORY]: ok<'EndedJobList'>(history(lost)),
  [STREAM]: ok<'Drain'>(drain('FAILED', [])),
};

const expired = { [STATUS]: refused(404, 'JOB_EXPIRED', 'The result of the job has expired.') };

const none = drain('IN_PROGRESS', []);

/** Values that a page must not change: numbers with more digits than JavaScript keeps. */
const huge = () => {
  const rows = Array.from(
    { length: 9000 },
    (_, n) => `{"id":90071992547409${n},"score":0.${n}0,"label":"row ${n}","box":[${n},${n + 1},${n + 2},${n + 3}]}`,
  );
  const { output: _, ...rest } = completed;
  return text(`${JSON.stringify(rest).slice(0, -1)},"output":{"rows":[${rows.join(',')}],"total":9000}}`);
};

const shown = (what: string) => (page: Page) => page.getByText(what, { exact: true }).first();

const tab = (name: string) => `${PATH}?tab=${name}`;

export const job: Screen = {
  name: 'job',
  answers: {
    ...record(completed),
    [`GET /v2/chat/input/${ID}`]: text('{"prompt": "Why is the sky blue?", "seed": 9007199254740993, "width": 1024}'),
    [`GET /v2/chat/logs/${ID}`]: ok<'JobLog'>(log),
    [STREAM]: ok<'Drain'>(drain('COMPLETED', sentence.split(' '))),
    [HISTORY]: ok<'EndedJobList'>(history(ended)),
    [WORKER_LOG]: ok<'EndpointLog'>(workerLog),
  },
  states: [
    {
      name: 'queued',
      path: PATH,
      answers: record({ ...queued, timeline: stages(['QUEUED', 1900], ['INSTANCE', 7300], ['BOOT', 32_800]) }),
      shows: (page) => page.getByText(/^Waiting: NO_CAPACITY/),
    },
    {
      name: 'running',
      path: PATH,
      answers: {
        ...record({ ...running, timeline: coldStart }),
        [STREAM]: [ok<'Drain'>(drain('IN_PROGRESS', sentence.split(' '))), ok<'Drain'>(none)],
      },
      shows: (page) => page.getByText('21 chunks so far'),
    },
    { name: 'completed', path: PATH, shows: (page) => page.locator('.json-editor .cm-line').first() },
    {
      name: 'picture',
      path: PATH,
      answers: record({ ...completed, output: { images: [picture()], seed: 7 } }),
      shows: (page) => page.getByRole('img', { name: /images/ }),
    },
    {
      name: 'huge',
      path: PATH,
      answers: { [STATUS]: huge() },
      shows: (page) => page.locator('.json-editor .cm-line').first(),
    },
    {
      name: 'failed',
      path: PATH,
      answers: {
        ...record({ ...failedJob, timeline: stages(['QUEUED', 4080], ['TAKE', 130]) }),
        [STREAM]: ok<'Drain'>(none),
      },
      shows: (page) => page.getByText('5 lines in all'),
    },
    {
      name: 'traceback',
      path: PATH,
      answers: record(failedJob),
      act: (page) => press(page, /^Traceback/),
      shows: (page) => page.getByRole('button', { name: 'Copy the traceback' }),
    },
    {
      name: 'attempts',
      path: PATH,
      answers: afterLost,
      shows: (page) => page.getByText('WORKER_STOPPED: ECS stopped the worker'),
    },
    {
      name: 'attempt-log',
      path: PATH,
      answers: afterLost,
      act: (page) => page.getByRole('link', { name: 'Log of attempt 1' }).click(),
      shows: (page) => page.getByText('2 lines in all'),
    },
    {
      name: 'lost',
      path: PATH,
      answers: record({
        ...failedJob,
        code: 'WORKER_LOST',
        attempts: 3,
        error: `Worker ${workerId(2)} was lost: it has not renewed its lease for 30 s.`,
      }),
      shows: shown('Failed: WORKER_LOST'),
    },
    {
      name: 'timed-out',
      path: PATH,
      answers: record({
        id: ID,
        status: 'TIMED_OUT',
        code: 'EXECUTION_TIMEOUT',
        attempts: 1,
        workerId: workerId(1),
        delayTime: 4210,
        executionTime: 30_000,
        error: 'The job ran for longer than 30000 ms.',
      }),
      shows: shown('Timed out: EXECUTION_TIMEOUT'),
    },
    {
      name: 'cancelled',
      path: PATH,
      answers: record({
        id: ID,
        status: 'CANCELLED',
        code: 'CANCELLED',
        attempts: 1,
        workerId: workerId(1),
        delayTime: 4210,
        executionTime: 9100,
      }),
      shows: shown('Cancelled'),
    },
    {
      name: 'purged',
      path: PATH,
      answers: record({
        id: ID,
        status: 'CANCELLED',
        code: 'PURGED',
        attempts: 0,
        delayTime: 21_000,
        executionTime: 0,
      }),
      shows: shown('Cancelled: PURGED'),
    },
    {
      name: 'expired',
      path: PATH,
      answers: { ...expired, [HISTORY]: ok<'EndedJobList'>(history(lost)) },
      shows: (page) => page.getByText('2 lines in all'),
    },
    {
      name: 'expired-unrecorded',
      path: PATH,
      answers: { ...expired, [HISTORY]: ok<'EndedJobList'>(history()) },
      shows: (page) => page.getByText('The result of this job has expired'),
    },
    {
      name: 'unknown',
      path: `/endpoints/chat/jobs/${jobId(90 * MINUTE)}`,
      answers: {
        'GET /v2/chat/status/*': refused(404, 'JOB_NOT_FOUND', 'There is no such job.'),
        [HISTORY]: ok<'EndedJobList'>(history()),
      },
      shows: (page) => page.getByText('The service does not have this job'),
    },
    { name: 'loading', path: PATH, answers: { [STATUS]: held }, shows: shown('Loading the job') },
    {
      name: 'asks-before-cancel',
      path: PATH,
      answers: record(running),
      act: (page) => press(page, 'Cancel job'),
      shows: (page) => page.getByRole('dialog', { name: 'Cancel the job?' }),
    },
    { name: 'input', path: tab('input'), shows: (page) => page.getByText('9007199254740993', { exact: true }) },
    { name: 'logs', path: tab('logs'), answers: record(failedJob), shows: (page) => page.getByText('5 lines in all') },
    {
      name: 'no-logs',
      path: tab('logs'),
      answers: { [`GET /v2/chat/logs/${ID}`]: ok<'JobLog'>({ ...log, status: 'COMPLETED', lines: [] }) },
      shows: (page) => page.getByText('Nothing was printed for this job'),
    },
    {
      name: 'webhook-failed',
      path: tab('webhook'),
      answers: delivery({ state: 'FAILED', attempts: 8, lastError: 'TLS: certificate has expired' }),
      shows: (page) => page.getByRole('button', { name: 'Send again' }),
    },
    {
      name: 'webhook-delivered',
      path: tab('webhook'),
      answers: delivery({ state: 'DELIVERED', attempts: 2, lastStatus: 200 }),
      shows: (page) => page.getByRole('button', { name: 'Send again' }),
    },
    { name: 'no-webhook', path: tab('webhook'), shows: (page) => page.getByText('without a webhook') },
    { name: 'raw', path: tab('raw'), shows: (page) => page.locator('.json-editor .cm-line').first() },
    { name: 'viewer', path: PATH, role: 'viewer', answers: record(failedJob), shows: shown('Failed: WORKER_ERROR') },
  ],
};
