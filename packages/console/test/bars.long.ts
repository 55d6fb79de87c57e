/**
 * Tests limits that do not depend on the machine: how often an open page sends requests, and how much its
 * layout shifts.
 */
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { consoleOverStart } from './over-start.ts';
import { pacedPage } from './paced.ts';
import { call, eventually, submit } from './service.ts';
import { signIn } from './sign-in.ts';

const { service, inBrowser } = consoleOverStart({
  what: 'the rate of requests and the layout of the console',
});

const MIN_CALLS = 5;
const MAX_CALLS = 20;
const MAX_SHIFT = 0.05;

/** Seconds in which a page refreshes at least ten times. */
const REFRESHES = 110;

/** Waits until a page has loaded. */
type Ready = (page: Page) => Promise<void>;

const shows =
  (text: string | RegExp): Ready =>
  (page) =>
    page.getByText(text).first().waitFor();

let changes = 0;

const isCall = ({ url }: { readonly url: string }) => /\/v[12]\//.test(url);

async function submitted(input: object): Promise<string> {
  const { json } = await submit(service(), JSON.stringify({ input }));
  return String(json.id);
}

/** Submits a job that fails or runs, so that the next refresh shows a change. */
async function change(): Promise<void> {
  changes += 1;
  await submitted(changes % 2 === 0 ? { op: 'fail' } : { op: 'sleep', ms: 1_000 });
}

/** Waits until all jobs but the streaming one have ended. An idle page then shows no changes. */
const ended = () =>
  eventually('the jobs have ended', async () => {
    const { json } = await call(service(), 'GET', `${service().JobApiUrl}/echo/health`);
    const { inQueue, inProgress } = json.jobs as Record<string, number>;
    return (inQueue === 0 && Number(inProgress) <= 1) || undefined;
  });

function testQuiet(name: string, path: () => Promise<string> | string, ready: Ready): void {
  inBrowser(`sends at most ${MAX_CALLS} calls a minute and keeps its layout: ${name}`, async (watched) => {
    const { page, requests, forget, setHidden } = watched;
    const paced = await pacedPage(page);
    await signIn(page, service(), 'admin', await path());
    await ready(page);
    await paced.pause();
    const shiftOfLoad = await paced.layoutShift();
    // A job is initially read every second.
    await paced.pass(30, 5, change);
    await ended();
    await paced.pass(10, 5);
    forget();
    await paced.pass(60, 1);
    const visible = requests().filter(isCall).length;
    await paced.pass(REFRESHES - 90, 5, change);
    const shift = await paced.layoutShift();
    await setHidden(true);
    // Earlier requests are not counted.
    await paced.pass(1, 1);
    forget();
    await paced.pass(60, 5);
    const hidden = requests().filter(isCall).length;
    for (let n = 0; n < 10; n += 1) {
      await setHidden(false);
      await paced.pass(1, 1, change);
      await setHidden(true);
    }
    const shown = await paced.layoutShift();
    process.stdout.write(
      `${name}: ${visible} calls a minute, ${hidden} while hidden, layout shift ${shiftOfLoad.toFixed(4)} at load, ` +
        `${shift.toFixed(4)} after ten refreshes, ${shown.toFixed(4)} after showing it ten times\n`,
    );
    expect(visible).toBeGreaterThanOrEqual(MIN_CALLS);
    expect(visible).toBeLessThanOrEqual(MAX_CALLS);
    expect(hidden).toBe(0);
    expect(shown).toBeLessThanOrEqual(MAX_SHIFT);
  });
}

describe('an open page', () => {
  testQuiet('overview', () => '/', shows('All endpoints'));
  for (const tab of ['jobs', 'failures', 'workers', 'releases', 'webhooks', 'logs', 'cost', 'settings'])
    testQuiet(`endpoint, ${tab}`, () => `/endpoints/echo?tab=${tab}`, shows('Waiting'));

  let job: Promise<string> | undefined;
  /** Returns the same job for all pages. The job stops streaming after a few chunks. */
  const running = () => {
    job ??= submitted({ op: 'stream', chunks: 2, ms: 600_000 });
    return job;
  };
  for (const tab of ['output', 'stream', 'logs'])
    testQuiet(
      `running job, ${tab}`,
      async () => `/endpoints/echo/jobs/${await running()}?tab=${tab}`,
      shows('Running'),
    );
  testQuiet('playground', async () => `/endpoints/echo/playground?job=${await running()}`, shows('Running'));
  testQuiet('templates', () => '/templates', shows('Echo'));
  testQuiet('template', () => '/templates/endpoint-echo', shows('Releases'));
});
