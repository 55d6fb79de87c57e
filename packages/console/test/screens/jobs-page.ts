/** States of the page of all jobs: failures, filters, a search that continues, saved links, and errors. */
import type { Page } from 'playwright-core';
import type { EndedJob } from '../../api/management-types.ts';
import { alarms } from './alarms.ts';
import { ago, DAY, HOUR, jobId, MINUTE, workerId } from './clock.ts';
import { endpoints } from './endpoints.ts';
import { failed, held, ok, press, type Screen } from './screen.ts';

const SECOND = 1000;
const JOBS = 'GET /v1/jobs';

type End = readonly [endpoint: string, status: EndedJob['status'], code?: string, error?: string];

const ends: readonly End[] = [
  [
    'sdxl',
    'FAILED',
    'WORKER_ERROR',
    'OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has 23.6 GiB',
  ],
  ['chat', 'COMPLETED'],
  [
    'sdxl',
    'FAILED',
    'WORKER_ERROR',
    'OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB. GPU 0 has 23.6 GiB',
  ],
  ['upscale-video-to-4k-preview', 'TIMED_OUT', 'EXECUTION_TIMEOUT'],
  [
    'embeddings',
    'FAILED',
    'WORKER_ERROR',
    `ValueError: ${'a word without an end'.replaceAll(' ', '')}${'x'.repeat(150)}`,
  ],
  ['tts', 'CANCELLED', 'CANCELLED'],
  ['sdxl', 'FAILED', 'WORKER_LOST'],
  ['chat', 'COMPLETED'],
];

const jobs = ends.map(([endpoint, status, code, error], number): EndedJob => {
  const ended = (30 + 470 * number) * SECOND;
  return {
    id: jobId(ended + MINUTE),
    endpoint,
    status,
    ...(code !== undefined && { code }),
    ...(error !== undefined && { error, fingerprint: '5e1f0a9b7c3d' }),
    createdAt: ago(ended + MINUTE),
    startedAt: ago(ended + 20 * SECOND),
    endedAt: ago(ended),
    delayTime: 40 * SECOND,
    executionTime: 20 * SECOND,
    attempts: 1,
    rescues: 0,
    retries: 0,
    lowPriority: false,
    worker: workerId(number % 3),
    revision: 11,
    owner: 'ada',
    ...(number % 2 === 0 && { key: '0a1b2c3d4e5f' }),
  };
});

const page = (of: readonly EndedJob[], readTo: string, nextCursor?: string) =>
  ok<'EndedJobList'>({ jobs: [...of], readTo, ...(nextCursor !== undefined && { nextCursor }) });

const failures = jobs.filter(({ status }) => status === 'FAILED' || status === 'TIMED_OUT');

const shows = (browser: Page) => browser.getByRole('link', { name: jobs[0]?.id ?? '' });

export const jobsPage: Screen = {
  name: 'jobs',
  answers: { 'GET /v1/endpoints': ok<'EndpointList'>({ endpoints: [...endpoints] }), 'GET /v1/alarms': alarms },
  states: [
    { name: 'all', path: '/jobs', answers: { [JOBS]: page(jobs, ago(DAY)) }, shows },
    {
      name: 'filtered',
      path: '/jobs?status=FAILED,TIMED_OUT&since=7d&text=memory&key=0a1b2c3d4e5f&worker=4f0c2d1b7a8e9f00&release=11',
      answers: { [JOBS]: page(failures, ago(5 * HOUR), 'b2xkZXI') },
      shows,
    },
    {
      name: 'endpoint',
      path: '/jobs?endpoint=sdxl&status=FAILED,TIMED_OUT&since=1h',
      answers: { [JOBS]: page(failures, ago(HOUR)) },
      shows,
    },
    {
      name: 'searched-further',
      path: '/jobs?text=memory',
      answers: { [JOBS]: [page(failures.slice(0, 1), ago(HOUR), 'b2xkZXI'), page(failures.slice(1), ago(DAY))] },
      act: (browser) => press(browser, 'Search further'),
      shows: (browser) => browser.getByText('were searched.', { exact: false }),
    },
    {
      name: 'nothing-yet',
      path: '/jobs?text=memory&since=30d',
      answers: { [JOBS]: page([], ago(2 * HOUR), 'b2xkZXI') },
      shows: (browser) => browser.getByText('No job found yet.'),
    },
    {
      name: 'empty',
      path: '/jobs?since=1h',
      answers: { [JOBS]: page([], ago(HOUR)) },
      shows: (browser) => browser.getByText('No job matches.'),
    },
    {
      name: 'saved',
      path: '/jobs?status=FAILED,TIMED_OUT',
      answers: { [JOBS]: page(failures, ago(DAY)) },
      act: async (browser) => {
        await press(browser, 'Save as link');
        await browser.getByLabel('Name', { exact: true }).fill('Failed last night');
        await press(browser, 'Save');
        await press(browser, 'Saved');
      },
      shows: (browser) => browser.getByRole('menuitem', { name: 'Failed last night' }),
    },
    {
      name: 'save',
      path: '/jobs?status=FAILED,TIMED_OUT',
      answers: { [JOBS]: page(failures, ago(DAY)) },
      act: (browser) => press(browser, 'Save as link'),
      shows: (browser) => browser.getByRole('dialog'),
    },
    {
      name: 'loading',
      path: '/jobs',
      answers: { [JOBS]: held },
      shows: (browser) => browser.getByText('Loading jobs').first(),
    },
    {
      name: 'error',
      path: '/jobs',
      answers: { [JOBS]: failed },
      shows: (browser) => browser.getByRole('button', { name: 'Try again' }),
    },
  ],
};
