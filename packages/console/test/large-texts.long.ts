/** Tests that the page stays responsive while its worker reads texts of 20 MB. */
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { AT_ONCE } from '../reading/read.ts';
import { consoleOverStart } from './over-start.ts';
import { eventually, jobIn, submit } from './service.ts';
import { signIn } from './sign-in.ts';

/** The largest output of a job. */
const LARGE = 20 * 1024 * 1024;

const { service, inBrowser } = consoleOverStart({ what: 'large texts in the console' });

interface Event {
  /** What the page asks its worker for, what it gets, or that it ends the worker. */
  readonly what: string;
  /** Clicks that the page has handled before, and the longest time between two of them in milliseconds. */
  readonly clicks: number;
  readonly pause: number;
  /** Milliseconds. */
  readonly at: number;
}

/**
 * Records what the page and its worker send each other, and clicks without a pause. `globalThis.onAsk` is called after
 * each request.
 */
const RECORD = `{
  const events = globalThis.workerEvents = [];
  let clicks = 0, pause = 0, last = performance.now(), name = '';
  const record = (what) => { events.push({ what, clicks, pause, at: performance.now() }); pause = 0; };
  globalThis.Worker = class extends Worker {
    constructor(...options) {
      super(...options);
      this.addEventListener('message', () => record('answer ' + name));
    }
    postMessage(ask) {
      name = ask.name;
      super.postMessage(ask);
      record('ask ' + name);
      setTimeout(() => globalThis.onAsk?.(ask.name));
    }
    terminate() { record('end ' + name); super.terminate(); }
  };
  const target = document.createElement('button');
  target.addEventListener('click', () => {
    clicks += 1;
    pause = Math.max(pause, performance.now() - last);
    last = performance.now();
  });
  setInterval(() => target.click(), 5);
}`;

const eventsOf = (page: Page) => page.evaluate<readonly Event[]>('workerEvents');

/** JSON of about 20 MB that takes the worker long: many small arrays, with a match at the end. */
const output = () => `[${'[1],'.repeat(Math.floor((LARGE - 100) / 4))}"the last value"]`;

/** Chunks of 20 MB in all. */
const CHUNK = '{"output":1}';
const CHUNKS = Math.floor(LARGE / (CHUNK.length + 1));
const chunks = () => `[${`${CHUNK},`.repeat(CHUNKS - 1)}${CHUNK}]`;

/** The JSON in its editor. */
const shown = (page: Page, name: string) => page.getByRole('textbox', { name });

/** Opens a job that has ended, with these responses of the service. */
async function openJob(page: Page, tab: string, responses: Readonly<Record<string, string>>): Promise<void> {
  const { json } = await submit(service(), '{"input":{"text":"small"}}');
  const id = String(json.id);
  await jobIn(service(), id, 'COMPLETED');
  for (const [operation, body] of Object.entries(responses))
    await page.route(`**/v2/echo/${operation}/${id}*`, (route) =>
      route.fulfill({ contentType: 'application/json', body: body.replace('ID', id) }),
    );
  await page.addInitScript(RECORD);
  await signIn(page, service(), 'operator', `/endpoints/echo/jobs/${id}?tab=${tab}`);
}

describe('a job with an output of 20 MB', () => {
  inBrowser('is read and searched to its end while the page handles clicks', async ({ page }) => {
    const times = '"status":"COMPLETED","delayTime":1,"executionTime":1,"attempts":1';
    await openJob(page, 'output', { status: `{"id":"ID",${times},"output":${output()}}` });
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await shown(page, 'Output').waitFor();
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('textbox', { name: 'Find' }).pressSequentially('THE LAST value');
    const from = Date.now();
    await page.keyboard.press('Enter');
    await shown(page, 'Output').getByText('the last value').waitFor();
    console.log(`search to the end: ${Date.now() - from} ms`);
    expect(await page.locator('.cm-line').count()).toBeLessThan(100);

    const events = await eventsOf(page);
    const asked = events.filter(({ what }) => what.startsWith('ask ')).map(({ what }) => what.slice('ask '.length));
    expect(asked).toEqual(expect.arrayContaining(['job', 'media', 'layout']));
    for (const name of ['job', 'media', 'layout']) {
      const ask = events.find(({ what }) => what === `ask ${name}`);
      const answer = events.find(({ what }) => what === `answer ${name}`);
      if (!ask || !answer) throw new Error(`The worker has not answered ${name}.`);
      const took = answer.at - ask.at;
      const handled = answer.clicks - ask.clicks;
      console.log(
        `${name}: ${took.toFixed(0)} ms in the worker, ${handled} clicks handled, ${answer.pause.toFixed(0)} ms between two`,
      );
      expect(handled).toBeGreaterThan(5);
      expect(answer.pause).toBeLessThan(took / 2);
    }
  });

  inBrowser('of chunks is no longer read when the user leaves it', async ({ page }) => {
    // The tab is changed as soon as the worker has the chunks.
    await page.addInitScript(`globalThis.onAsk = (name) => {
      if (name === 'streamLines') document.querySelector('[data-testid=input]').click();
    }`);
    await openJob(page, 'stream', { stream: chunks() });
    await shown(page, 'Input').getByText('"small"').waitFor();
    const events = await eventually('the worker is ended', async () => {
      const all = await eventsOf(page);
      return all.some(({ what }) => what === 'end streamLines') ? all : undefined;
    });
    expect(events.map(({ what }) => what)).toEqual([
      'ask chunks',
      'answer chunks',
      'ask streamLines',
      'end streamLines',
    ]);
    // Another worker reads the chunks when the user comes back.
    await page.evaluate('globalThis.onAsk = undefined');
    await page.getByRole('tab', { name: 'Stream' }).click();
    await page.getByText(`${CHUNKS.toLocaleString('en')} chunks in all`).waitFor();
  });

  inBrowser('is read on the page if it has at most 1 MB', async ({ page }) => {
    const { json } = await submit(service(), JSON.stringify({ input: { text: 'x'.repeat(AT_ONCE - 1_000) } }));
    await jobIn(service(), json.id, 'COMPLETED');
    await page.addInitScript(RECORD);
    await signIn(page, service(), 'operator', `/endpoints/echo/jobs/${json.id}`);
    await shown(page, 'Output').getByText('"text"').waitFor();
    expect(await eventsOf(page)).toEqual([]);
  });
});
