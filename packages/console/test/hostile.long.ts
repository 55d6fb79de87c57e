/** Tests that the console over `npm start` shows untrusted texts, and that these texts have no effect. */
import { readFileSync } from 'node:fs';
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { seen } from '../json/display.ts';
import { cleanScript } from './hostile/clean-script.ts';
import { blocks, lines } from './hostile/texts.ts';
import { type HostileWatch, watchHostile } from './hostile/watch.ts';
import { consoleOverStart } from './over-start.ts';
import { call, jobIn, submit } from './service.ts';
import { signIn } from './sign-in.ts';

const { service, origin, inBrowser } = consoleOverStart({
  what: 'hostile text in the console',
  page: { viewport: { width: 1400, height: 1600 } },
});

const fixtures = JSON.parse(
  readFileSync('packages/console/test/hostile/dompurify-fixtures.json', 'utf8'),
) as readonly string[];
const texts = [...lines, ...blocks];

/** Number of texts in each readme. */
const AT_ONCE = 28;

const groups = <Item>(items: readonly Item[]) =>
  Array.from({ length: Math.ceil(items.length / AT_ONCE) }, (_, n) => items.slice(n * AT_ONCE, (n + 1) * AT_ONCE));

async function createTemplate(template: object): Promise<string> {
  const body = JSON.stringify({ imageName: 'team/worker:1', ...template });
  const { status, json } = await call(service(), 'POST', `${service().ManagementApiUrl}/templates`, { body });
  expect([status, json.error]).toEqual([expect.any(Number), undefined]);
  return String(json.id);
}

async function ended(input: object, status: 'COMPLETED' | 'FAILED'): Promise<string> {
  const { json } = await submit(service(), JSON.stringify({ input }));
  await jobIn(service(), json.id, status);
  return String(json.id);
}

/**
 * Returns all text of a list that renders only the rows in view.
 * @param label of the list
 */
async function scrolledText(page: Page, label: string, list = `document.querySelector('[aria-label="${label}"]')`) {
  await page.locator(`[aria-label="${label}"]`).waitFor();
  return page.evaluate<string>(`(async (list) => {
    const texts = [];
    for (let top = 0; top < list.scrollHeight; top += list.clientHeight / 2) {
      list.scrollTop = top;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      texts.push(...[...list.querySelectorAll('[data-index], .cm-line')].map((row) => row.textContent));
    }
    return texts.join('\\n');
  })(${list})`);
}

/** The element that scrolls in the editor of a JSON text. */
const EDITOR = "document.querySelector('.json-editor').shadowRoot.querySelector('.cm-scroller')";

/**
 * Expects that each text is shown as written, with escapes for invisible characters.
 * @param maxLength maximum number of characters that are compared
 */
function expectShown(shown: string | null, written: readonly string[], maxLength = 200): void {
  const missing = written.map((text) => seen(text.slice(0, maxLength))).filter((text) => !shown?.includes(text));
  expect(missing).toEqual([]);
}

/**
 * Signs in, and expects that no shown text runs, loads something or violates the policy.
 * @param test returns what it has shown, such as `29 texts as output`
 */
async function expectNothing(page: Page, test: (watch: HostileWatch) => Promise<string>): Promise<void> {
  await signIn(page, service(), 'admin');
  const watch = await watchHostile(page, origin());
  // Scripts that ran explain more than the errors that they caused.
  const shown = await test(watch).catch((error: Error) => error);
  const { ran, requests, reports } = await watch.achieved();
  const what = shown instanceof Error ? 'A text that breaks the page' : shown;
  console.log(`${what}: ${ran.length} ran, ${requests.length} requests, ${reports.length} reports`);
  expect({ ran, requests, reports }).toEqual({ ran: [], requests: [], reports: [] });
  if (shown instanceof Error) throw shown;
}

const hostile = (title: string, test: (page: Page, watch: HostileWatch) => Promise<string>) =>
  inBrowser(title, ({ page }) => expectNothing(page, (watch) => test(page, watch)));

/** Returns the token with which the page calls the service. */
async function tokenIn(page: Page): Promise<string> {
  const kept = await page.evaluate<string>('Object.values(sessionStorage).find((v) => v.includes("access_token"))');
  return (JSON.parse(kept) as { access_token: string }).access_token;
}

/** Opens one tab of a job's page. */
const openJob = (watch: HostileWatch, id: string, tab: string) =>
  watch.open(`/console/endpoints/echo/jobs/${id}?tab=${tab}`);

describe('hostile text', () => {
  hostile("has no effect in a readme, including DOMPurify's own fixtures", async (page, watch) => {
    let shown = 0;
    for (const [n, group] of groups(fixtures).entries()) {
      const readme = group.map((payload, at) => `## Fixture ${at}\n\n${payload}\n\n`).join('');
      await watch.open(`/console/templates/${await createTemplate({ name: `Fixtures ${n}`, readme })}`);
      await page.getByRole('heading', { name: 'Fixture 0', exact: true }).waitFor();
      const headings = await page.getByRole('heading', { name: /^Fixture \d+$/ }).count();
      expect(headings).toBe(group.length);
      shown += headings;
    }
    return `${shown} fixtures as readmes`;
  });

  inBrowser('has no effect as HTML that only DOMPurify cleans', async ({ page }) => {
    const unguarded = await page.context().browser()?.newPage({ bypassCSP: true });
    if (!unguarded) throw new Error('The browser has exited.');
    await expectNothing(unguarded, async (watch) => {
      const path = '/console/assets/clean-script.js';
      const script = { contentType: 'text/javascript', body: cleanScript() };
      await unguarded.route(`**${path}`, (route) => route.fulfill(script));
      await watch.open('/console/');
      await unguarded.getByRole('row', { name: /^echo / }).waitFor();
      const html = [...fixtures, ...texts];
      const show = `import('${path}').then(({ show }) => show(${JSON.stringify(html)}))`;
      expect(await unguarded.evaluate(show)).toEqual([]);
      return `${html.length} texts as HTML cleaned only by DOMPurify, without a policy`;
    });
    await unguarded.close();
  });

  hostile('is shown as text in the output of a job, including its names and files', async (page, watch) => {
    const id = await ended({ texts, ...Object.fromEntries(lines.map((line) => [line, 'a name'])) }, 'COMPLETED');
    for (const [tab, label] of [
      ['output', 'Output'],
      ['input', 'Input'],
      ['raw', 'Raw record'],
    ] as const) {
      await openJob(watch, id, tab);
      await page.locator('.cm-content').waitFor();
      const shown = await scrolledText(page, label, EDITOR);
      expectShown(
        shown,
        texts.map((text) => JSON.stringify(text)),
      );
      expectShown(
        shown,
        lines.map((line) => `${JSON.stringify(line)}: "a name"`),
      );
    }
    await openJob(watch, id, 'output');
    await page.getByText('The browser cannot show this file.').waitFor();
    // The two files that begin like images are shown as images, and the other files as text.
    expect(await page.locator('figure').count()).toBe(2);
    return `${texts.length} texts as output`;
  });

  hostile('is shown as text in a stream, as tokens and as chunks', async (page, watch) => {
    const tokens = await ended({ op: 'say', values: texts.map((text) => `${text}\n`) }, 'COMPLETED');
    const chunks = await ended({ op: 'say', values: texts.map((note) => ({ note })) }, 'COMPLETED');
    await openJob(watch, tokens, 'stream');
    expectShown(await scrolledText(page, 'Streamed text'), texts);
    await openJob(watch, chunks, 'stream');
    expectShown(
      await scrolledText(page, 'Chunks'),
      texts.map((note) => JSON.stringify({ note })),
    );
    return `${texts.length} texts as chunks`;
  });

  hostile('is shown as text in the log of a job', async (page, watch) => {
    const id = await ended({ op: 'print', lines: texts }, 'COMPLETED');
    await openJob(watch, id, 'logs');
    expectShown(await scrolledText(page, 'Log'), texts);
    return `${texts.length} texts as lines of a log`;
  });

  hostile('is shown as text in the error of a job', async (page, watch) => {
    const id = await ended({ op: 'fail', message: texts.join('\n') }, 'FAILED');
    await openJob(watch, id, 'output');
    const error = page.getByRole('region', { name: 'Error' });
    await error.waitFor();
    expectShown(await error.textContent(), texts);
    return `${texts.length} texts in an error`;
  });

  hostile('is shown as text in names of templates and keys', async (page, watch) => {
    const ids: string[] = [];
    for (const name of lines) ids.push(await createTemplate({ name, readme: texts.join('\n\n').replaceAll('\0', '') }));
    const headers = { Authorization: `Bearer ${await tokenIn(page)}` };
    for (const name of lines) {
      const body = JSON.stringify({ name, owner: 'hostile' });
      const { status } = await call(service(), 'POST', `${service().ManagementApiUrl}/keys`, { body, headers });
      expect([name, status]).toEqual([name, 200]);
    }
    let shown = '';
    for (const number of [1, 2]) {
      await watch.open(`/console/templates?page=${number}`);
      const templates = page.getByRole('table', { name: 'Templates' });
      await templates.getByRole('link').first().waitFor();
      shown += await templates.textContent();
    }
    expectShown(shown, lines);
    await watch.open('/console/keys');
    const keys = page.getByRole('table', { name: 'API keys' });
    await keys
      .getByRole('button', { name: /^Revoke/ })
      .nth(lines.length - 1)
      .waitFor();
    expectShown(await keys.textContent(), lines);
    await watch.open(`/console/templates/${ids[0]}`);
    await page.getByRole('heading', { name: String(lines[0]), exact: true }).waitFor();
    return `${lines.length} texts as names`;
  });

  hostile('is shown as text in fields of the service', async (page, watch) => {
    const id = await ended({}, 'COMPLETED');
    const text = texts.join('\n');
    const answerWith = (path: string, change: object) =>
      page.route(`**${path}*`, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...((await response.json()) as object), ...change } });
      });
    // The service refuses such an image, category or error, so the test changes its responses.
    await answerWith('/v1/templates/endpoint-echo', { imageName: text, category: text, ports: texts });
    await watch.open('/console/templates/endpoint-echo');
    const main = page.getByRole('main');
    await page.getByText('Container image').first().waitFor();
    for (const label of ['Container image', 'Category', 'Ports']) await main.getByText(label).first().waitFor();
    await main
      .getByText(lines[0] ?? '')
      .first()
      .waitFor();
    const shown = String(await main.textContent());
    expect(lines.slice(0, 19).filter((line) => shown.split(line).length < 4)).toEqual([]);
    await answerWith(`/v2/echo/status/${id}`, { webhook: { state: 'FAILED', attempts: 3, lastError: text } });
    await openJob(watch, id, 'webhook');
    await main.getByText('Last error').waitFor();
    expectShown(await main.textContent(), texts);
    return `${texts.length} texts as image, category and error of a webhook`;
  });
});
