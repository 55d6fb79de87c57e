/** States of an endpoint's page: why jobs wait, each tab, and the actions. */
import type { Page } from 'playwright-core';
import type { WebhookList } from '../../api/job-types.ts';
import type { ReleaseList, Worker } from '../../api/management-types.ts';
import { ago, DAY, HOUR, jobId, MINUTE, workerId } from './clock.ts';
import { endpoints, rolledBack } from './endpoints.ts';
import { alarms, events, seriesOf } from './history.ts';
import { jobList, jobs, log, queued } from './jobs.ts';
import { failed, held, ok, press, refused, type Screen, type State } from './screen.ts';

const worker = (number: number, facts: Partial<Worker>): Worker => ({
  id: workerId(number),
  state: 'RUNNING',
  readySince: ago(HOUR),
  seenAt: ago(2000 + 700 * number),
  revision: 11,
  template: 'team-sdxl',
  version: 7,
  jobs: [],
  retiring: false,
  completed: 0,
  failed: 0,
  ...facts,
});

const workers = [
  worker(0, { jobs: [jobId(51_000)] }),
  worker(1, { state: 'IDLE', since: ago(MINUTE), revision: 10, version: 6, retiring: true }),
  worker(2, {
    state: 'UNHEALTHY',
    since: ago(40_000),
    readySince: ago(2 * HOUR),
    seenAt: ago(70_000),
    jobs: [jobId(98_000)],
  }),
  worker(3, { state: 'THROTTLED', unprotected: 'WAITS' }),
  worker(4, { jobs: [jobId(61_000), jobId(63_000)], unprotected: 'WORKS' }),
];

const starting: Worker = {
  id: workerId(5),
  state: 'INITIALIZING',
  seenAt: ago(3000),
  revision: 11,
  template: 'team-sdxl',
  version: 7,
  jobs: [],
  retiring: false,
  completed: 0,
  failed: 0,
};

const releases: ReleaseList['releases'] = [
  { ...rolledBack, template: 'team-embeddings' },
  {
    state: 'COMPLETED',
    version: 8,
    revision: 30,
    template: 'team-embeddings',
    startedAt: ago(DAY),
    endedAt: ago(DAY - 4 * MINUTE),
  },
  {
    state: 'SUPERSEDED',
    version: 7,
    revision: 29,
    template: 'team-embeddings',
    startedAt: ago(DAY + HOUR),
    endedAt: ago(DAY + HOUR - 90_000),
  },
  { state: 'COMPLETED' },
];

const webhooks: WebhookList = {
  webhooks: [
    { lastStatus: 503, resent: 0 },
    { lastError: 'TIMEOUT: no response within 10 s', resent: 1 },
    { lastError: 'TLS: certificate has expired', resent: 0 },
  ].map((facts, number) => ({
    id: jobId((9 + 4 * number) * MINUTE),
    completion: 1,
    webhookId: `msg_${number}`,
    failedAt: ago((5 + 4 * number) * MINUTE),
    attempts: 8,
    ...facts,
  })),
};

const JOBS = 'GET /v2/*/requests';
const LIST = 'GET /v1/endpoints';
const SERIES = 'GET /v1/endpoints/*/series';
const EVENTS = 'GET /v1/endpoints/*/events';
const ALARMS = 'GET /v1/alarms';

const inTable = (table: string) => (page: Page) => page.getByRole('table', { name: table }).getByRole('row').nth(1);

const firstJob = (page: Page) => page.getByRole('region', { name: 'First job' });
const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' });
const loadingJobs = (page: Page) => page.getByText('Loading jobs').first();

const notThere = {
  [JOBS]: refused(404, 'ENDPOINT_NOT_FOUND', 'There is no endpoint `not-there`.'),
};

const { waitDetail: _, ...withoutDetail } = queued;
const busy = { ...withoutDetail, waitReason: 'WORKERS_BUSY' } as const;

/** Selects the second half of a chart. */
async function dragOver(page: Page, chart: string): Promise<void> {
  const box = await page.getByRole('figure', { name: chart }).locator('.chart-plot').boundingBox();
  if (!box) throw new Error(`There is no chart ${chart}.`);
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width / 2, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, y, { steps: 3 });
  await page.mouse.up();
  await page.getByRole('button', { name: 'Clear', exact: true }).and(page.locator(':enabled')).waitFor();
}

const purging: Pick<State, 'path' | 'answers'> = {
  path: '/endpoints/sdxl',
  answers: { 'POST /v2/sdxl/purge-queue': ok<'PurgeResult'>({ removed: 412, status: 'completed' }) },
};

async function typeName(page: Page): Promise<void> {
  await press(page, 'Purge');
  await page.getByRole('textbox', { name: 'Type sdxl to confirm' }).fill('sdxl');
}

export const endpointScreen: Screen = {
  name: 'endpoint',
  answers: {
    [LIST]: ok<'EndpointList'>({ endpoints: [...endpoints] }),
    [SERIES]: (url) => ok<'EndpointSeries'>(seriesOf(url)),
    [EVENTS]: ok<'EventList'>({ events: [...events], readTo: ago(DAY) }),
    [ALARMS]: ok<'AlarmList'>({ alarms: [...alarms] }),
    [JOBS]: (url) => ok<'JobList'>(jobList(url)),
    'GET /v2/*/status/*': ok<'JobRecord'>(busy),
    'GET /v1/endpoints/*/workers': ok<'WorkerList'>({ workers: [...workers, starting] }),
    'GET /v1/endpoints/*/releases': ok<'ReleaseList'>({ releases, nextCursor: 'b2xkZXI' }),
    'GET /v2/*/webhooks': ok<'WebhookList'>(webhooks),
  },
  states: [
    { name: 'waiting', path: '/endpoints/sdxl', shows: inTable('Jobs') },
    { name: 'busy', path: '/endpoints/tts', shows: (page) => page.getByText('The newest job waits') },
    { name: 'failed-jobs', path: '/endpoints/sdxl?status=FAILED,TIMED_OUT', shows: inTable('Jobs') },
    {
      name: 'selected-jobs',
      path: '/endpoints/sdxl',
      act: async (page) => {
        for (const { id } of [jobs[1], jobs[4], jobs[6]].filter((job) => job !== undefined))
          await page.getByRole('checkbox', { name: `Select ${id}` }).check();
      },
      shows: (page) => page.getByRole('button', { name: 'Retry 2 jobs' }),
    },
    {
      name: 'retry-many',
      path: '/endpoints/sdxl?status=FAILED,TIMED_OUT',
      answers: {
        'POST /v2/sdxl/retry/*': (url) =>
          url.pathname.endsWith(String(jobs[4]?.id))
            ? refused(400, 'JOB_NOT_RETRYABLE', 'Only a job that is FAILED or TIMED_OUT can be retried.')
            : ok<'Acknowledgement'>({ id: String(url.pathname.split('/').at(-1)), status: 'IN_QUEUE' }),
      },
      act: async (page) => {
        await page.getByRole('checkbox', { name: 'Select all jobs of this page' }).check();
        await press(page, 'Retry 3 jobs');
        await page.getByRole('dialog').getByRole('button', { name: 'Retry', exact: true }).click();
      },
      shows: (page) => page.getByText('2 of 3 done, 1 failed'),
    },
    {
      name: 'no-jobs',
      path: '/endpoints/captioner',
      answers: { [JOBS]: ok<'JobList'>({ requests: [] }) },
      shows: firstJob,
    },
    {
      name: 'no-failed-jobs',
      path: '/endpoints/captioner?status=FAILED',
      answers: { [JOBS]: ok<'JobList'>({ requests: [] }) },
      shows: (page) => page.getByRole('button', { name: 'Show all jobs' }),
    },
    { name: 'jobs-error', path: '/endpoints/tts', answers: { [JOBS]: failed }, shows: tryAgain },
    { name: 'loading', path: '/endpoints/tts', answers: { [LIST]: held, [JOBS]: held }, shows: loadingJobs },
    { name: 'workers', path: '/endpoints/sdxl?tab=workers', shows: inTable('Workers') },
    {
      name: 'no-workers',
      path: '/endpoints/captioner?tab=workers',
      answers: { 'GET /v1/endpoints/*/workers': ok<'WorkerList'>({ workers: [] }) },
      shows: (page) => page.getByText('No worker reports. The first job starts one.'),
    },
    {
      name: 'logs',
      path: '/endpoints/sdxl?tab=logs',
      answers: { 'GET /v2/sdxl/logs/*': ok<'JobLog'>(log) },
      shows: (page) => page.getByText('5 lines so far'),
    },
    {
      name: 'no-logs',
      path: '/endpoints/captioner?tab=logs',
      answers: { [JOBS]: ok<'JobList'>({ requests: [] }) },
      shows: (page) => page.getByText('No job has run in the last 30 minutes.'),
    },
    { name: 'releases', path: '/endpoints/embeddings?tab=releases', shows: inTable('Releases') },
    { name: 'webhooks', path: '/endpoints/sdxl?tab=webhooks', shows: inTable('Failed webhooks') },
    {
      name: 'resend-webhooks',
      path: '/endpoints/sdxl?tab=webhooks',
      act: (page) => press(page, 'Resend all'),
      shows: (page) => page.getByRole('dialog', { name: 'Resend 3 webhooks' }),
    },
    {
      name: 'charts',
      path: '/endpoints/sdxl?charts=all&range=7d',
      shows: (page) => page.getByRole('figure', { name: 'Cost of workers' }),
    },
    {
      name: 'charts-selected',
      path: '/endpoints/sdxl',
      act: async (page) => {
        await dragOver(page, 'Jobs ended');
        await press(page, /^Marks/);
        await page.getByText('Show since then').first().waitFor();
      },
      shows: (page) => page.getByText('7 is complete'),
    },
    {
      name: 'charts-numbers',
      path: '/endpoints/sdxl?range=1h',
      act: (page) => press(page, 'Numbers of the charts'),
      shows: (page) => page.getByRole('region', { name: 'Numbers of the charts' }),
    },
    {
      name: 'charts-error',
      path: '/endpoints/sdxl',
      answers: { [SERIES]: failed, [EVENTS]: failed, [ALARMS]: failed },
      shows: tryAgain,
    },
    {
      name: 'charts-empty',
      path: '/endpoints/captioner',
      answers: {
        [SERIES]: ok<'EndpointSeries'>({ ...seriesOf(new URL('http://localhost/?since=2100-01-01')), points: [] }),
        [JOBS]: ok<'JobList'>({ requests: [] }),
      },
      shows: firstJob,
    },
    {
      name: 'settings',
      path: '/endpoints/chat?tab=settings',
      shows: (page) => page.getByText('Address of the endpoint').first(),
    },
    {
      name: 'resumed',
      path: '/endpoints/sdxl',
      answers: {
        'POST /v1/endpoints/*/resume': ok<'Resumed'>({ id: 'sdxl', backedOff: true, reason: 'WORKER_EXITS' }),
      },
      act: (page) => press(page, 'Resume'),
      shows: (page) => page.getByText('sdxl tries to start workers again'),
    },
    {
      ...purging,
      name: 'purge',
      act: typeName,
      shows: (page) => page.getByText('412 jobs wait'),
    },
    {
      ...purging,
      name: 'purged',
      act: async (page) => {
        await typeName(page);
        await page.keyboard.press('Enter');
      },
      shows: (page) => page.getByText('412 jobs removed'),
    },
    {
      name: 'viewer',
      path: '/endpoints/sdxl',
      role: 'viewer',
      act: (page) => page.getByRole('button', { name: 'Purge' }).hover(),
      shows: (page) => page.getByText('Only users in the group "admin"').filter({ visible: true }).first(),
    },
    {
      name: 'unknown',
      path: '/endpoints/not-there',
      answers: notThere,
      shows: (page) => page.getByText('No endpoint'),
    },
  ],
};
