/** States of an endpoint's page: why jobs wait, each tab, and the actions. */
import type { Page } from 'playwright-core';
import { ago, DAY, workerId } from './clock.ts';
import { costsOf, endedJobs, endedWorkers, failureList, workerLines } from './ended.ts';
import { changed, details, drifted, releases, starting, webhooks, workers } from './endpoint-data.ts';
import { endpoints } from './endpoints.ts';
import { alarms, events, seriesOf } from './history.ts';
import { jobList, jobs } from './jobs.ts';
import { failed, held, ok, press, refused, type Screen, type State } from './screen.ts';

const JOBS = 'GET /v2/*/requests';
const LIST = 'GET /v1/endpoints';
const SERIES = 'GET /v1/endpoints/*/series';
const EVENTS = 'GET /v1/endpoints/*/events';
const ALARMS = 'GET /v1/alarms';
const ENDED = 'GET /v1/endpoints/*/workers/ended';
const LOGS = 'GET /v1/endpoints/*/logs';
const HISTORY = 'GET /v1/jobs';

const noWorkers = ok<'EndedWorkerList'>({ workers: [], readTo: ago(DAY) });

const inTable = (table: string) => (page: Page) => page.getByRole('table', { name: table }).getByRole('row').nth(1);

const firstJob = (page: Page) => page.getByRole('region', { name: 'First job' });
const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' });
const loadingJobs = (page: Page) => page.getByText('Loading jobs').first();

const notThere = {
  [JOBS]: refused(404, 'ENDPOINT_NOT_FOUND', 'There is no endpoint `not-there`.'),
};

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
    'GET /v1/templates/*': ok<'TemplateInUse'>(drifted),
    [SERIES]: (url) => ok<'EndpointSeries'>(seriesOf(url)),
    [EVENTS]: ok<'EventList'>({ events: [...events], readTo: ago(DAY) }),
    [ALARMS]: ok<'AlarmList'>({ alarms: [...alarms] }),
    [ENDED]: ok<'EndedWorkerList'>({ workers: [...endedWorkers], readTo: ago(DAY) }),
    [LOGS]: ok<'EndpointLog'>(workerLines),
    [HISTORY]: ok<'EndedJobList'>({ jobs: [...endedJobs], readTo: ago(DAY) }),
    'GET /v1/endpoints/*/failures': ok<'FailureList'>(failureList),
    'GET /v1/costs': (url) => ok<'Costs'>(costsOf(url)),
    [JOBS]: (url) => ok<'JobList'>(jobList(url)),
    'GET /v1/endpoints/*/workers': ok<'WorkerList'>({ workers: [...workers, starting] }),
    'GET /v1/endpoints/*/releases': ok<'ReleaseList'>({ releases, nextCursor: 'b2xkZXI' }),
    'GET /v2/*/webhooks': ok<'WebhookList'>(webhooks),
  },
  states: [
    { name: 'waiting', path: '/endpoints/sdxl', shows: inTable('Jobs') },
    { name: 'busy', path: '/endpoints/tts', shows: (page) => page.getByText('Jobs wait:') },
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
    {
      name: 'jobs-history',
      path: '/endpoints/sdxl?view=history',
      shows: inTable('Jobs that have ended'),
    },
    {
      name: 'failures',
      path: '/endpoints/sdxl?tab=failures',
      shows: (page) => page.getByText('No retry: inputs are kept').first(),
    },
    {
      name: 'no-failures',
      path: '/endpoints/captioner?tab=failures',
      answers: {
        'GET /v1/endpoints/*/failures': ok<'FailureList'>({ failures: [], ended: 0, failed: 0, readTo: ago(DAY) }),
      },
      shows: (page) => page.getByText('No job has failed in this time.'),
    },
    {
      name: 'failures-retry',
      path: '/endpoints/sdxl?tab=failures',
      act: (page) => press(page, /^Retry all 211/),
      shows: (page) => page.getByRole('dialog', { name: 'Retry 7 jobs' }),
    },
    {
      name: 'failures-expired',
      path: '/endpoints/sdxl?tab=failures',
      answers: { [HISTORY]: ok<'EndedJobList'>({ jobs: [], readTo: ago(DAY) }) },
      act: (page) => press(page, /^Retry all 211/),
      shows: (page) => page.getByText('None of these 211 jobs can be retried', { exact: false }),
    },
    { name: 'workers', path: '/endpoints/sdxl?tab=workers', shows: inTable('Stopped workers') },
    {
      name: 'worker',
      path: `/endpoints/sdxl?tab=workers&worker=${workerId(21)}`,
      shows: (page) => page.getByText('4 lines since', { exact: false }),
    },
    {
      name: 'worker-living',
      path: `/endpoints/sdxl?tab=workers&worker=${workerId(4)}`,
      shows: (page) => page.getByText('New lines are added', { exact: false }),
    },
    {
      name: 'no-workers',
      path: '/endpoints/captioner?tab=workers',
      answers: { 'GET /v1/endpoints/*/workers': ok<'WorkerList'>({ workers: [] }), [ENDED]: noWorkers },
      shows: (page) => page.getByText('No worker reports. The first job starts one.'),
    },
    {
      name: 'logs',
      path: '/endpoints/sdxl?tab=logs',
      shows: (page) => page.getByText('4 lines since', { exact: false }),
    },
    {
      name: 'no-logs',
      path: '/endpoints/captioner?tab=logs',
      answers: { [LOGS]: ok<'EndpointLog'>({ lines: [], nextCursor: workerLines.nextCursor }), [ENDED]: noWorkers },
      shows: (page) => page.getByText('Nothing was printed.', { exact: false }),
    },
    {
      name: 'releases',
      path: '/endpoints/embeddings?tab=releases',
      answers: { [EVENTS]: ok<'EventList'>({ events: [changed], readTo: ago(DAY) }) },
      shows: (page) => page.getByText('Key deploy-bot: Container', { exact: false }),
    },
    {
      name: 'rollback',
      path: '/endpoints/embeddings?tab=releases',
      act: (page) => press(page, /^Roll back to v7/),
      shows: (page) => page.getByRole('dialog', { name: 'Roll embeddings back to v7 (revision 29)' }),
    },
    {
      name: 'rolled-back',
      path: '/endpoints/embeddings?tab=releases',
      answers: {
        'POST /v1/endpoints/*/rollback': ok<'Rollback'>({
          id: 'embeddings',
          restores: { revision: 29, version: 7 },
          template: 'team-embeddings',
          version: 10,
        }),
      },
      act: async (page) => {
        await press(page, /^Roll back to v7/);
        await press(page, 'Roll back');
      },
      shows: (page) => page.getByText('Version 10 of team-embeddings is rolled out'),
    },
    { name: 'cost', path: '/endpoints/sdxl?tab=cost', shows: inTable('Cost by API key') },
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
      answers: {
        'GET /v1/endpoints/chat': ok<'EndpointDetails'>(details),
        'GET /v1/templates/*': ok<'TemplateInUse'>(drifted),
      },
      shows: (page) => page.getByRole('table', { name: 'Environment variables' }),
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
