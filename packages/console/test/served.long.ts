/** Tests the console in a browser as `npm start` serves it. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { expectBrowser, openBrowser, openPage, type WatchedPage, withBrowser } from './browser.ts';
import { copyAssembly, type LocalService, newStateDir, startService, stopService, submit } from './service.ts';
import { signIn } from './sign-in.ts';

let service: LocalService;
let origin: string;
let browser: Browser | undefined;

beforeAll(async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'console-assembly-')), 'assembly');
  await copyAssembly(folder);
  service = await startService(newStateDir(), { args: ['--assembly', folder] });
  ({ origin } = new URL(service.JobApiUrl));
  if (withBrowser) browser = await openBrowser();
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await stopService(service);
});

const get = (path: string, init: RequestInit = {}) => fetch(`${origin}${path}`, { redirect: 'manual', ...init });

/** Content security policy that the deployed template also sets. */
const POLICY =
  /^default-src 'none'; script-src 'self'; style-src 'self'; .* frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types dompurify reading$/;

describe('the console of npm start', () => {
  it('is built on the first request, and served with the headers of the deployment', async () => {
    const page = await get('/console/');
    expect(page.status).toBe(200);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-encoding': 'br',
      'cache-control': 'no-cache',
      'content-security-policy': expect.stringMatching(POLICY),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'strict-transport-security': 'max-age=31536000',
    });
    const [, script = ''] = /src="(\/console\/assets\/[^"]+\.js)"/.exec(await page.text()) ?? [];
    const { status, headers } = await get(script);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('answers every path of a page with index.html, so that links to pages work', async () => {
    const page = await (await get('/console/')).text();
    for (const path of ['/console/endpoints/echo', '/console/endpoints/a.b/jobs/c.js?tab=logs', '/console/none']) {
      const answer = await get(path);
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, page]);
    }
  });

  it('names the sign-in pages in a file that browsers do not cache', async () => {
    const { status, headers } = await get('/console/config.json');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache']);
    const config = await (await get('/console/config.json')).json();
    expect(config).toEqual({ issuer: expect.any(String), signIn: expect.any(String), client: expect.any(String) });
  });

  it('redirects from its path without a slash', async () => {
    const { status, headers } = await get('/console');
    expect([status, headers.get('location')]).toEqual([302, '/console/']);
  });

  it('leaves errors of the interfaces unchanged', async () => {
    const headers = { Authorization: `Bearer ${service.ApiKey}` };
    for (const path of ['/v2/echo/status/none', '/v1/none', '/elsewhere']) {
      const answer = await get(path, { headers });
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 404, 'application/json']);
      expect(await answer.json()).toMatchObject({ error: expect.any(String), code: expect.any(String) });
      expect(answer.headers.has('content-security-policy')).toBe(false);
    }
  });

  it('refuses a file that is not in the build, and serves nothing else from the bucket', async () => {
    expect((await get('/console/assets/none.js')).status).toBe(403);
    expect((await get('/replaced.json')).status).toBe(404);
  });

  it('is linked from the page at the root', async () => {
    expect(await (await get('/')).text()).toContain('<a href="/console/">');
  });
});

describe('the pages of npm start in a browser', () => {
  it('are tested if Chromium is required', () => expectBrowser('the page that npm start serves'));

  const inBrowser = (title: string, test: (watched: WatchedPage) => Promise<void>) =>
    it(title, async () => {
      if (!browser) return;
      // The first page waits for the build, which can take longer than a step.
      await get('/console/');
      const watched = await openPage(browser);
      try {
        await test(watched);
      } finally {
        await watched.close();
      }
    });

  inBrowser('show the signed-in user, and load without policy violations', async (watched) => {
    await signIn(watched.page, service, 'operator');
    await watched.page.getByRole('button', { name: 'operator', exact: true }).waitFor();
    expect(await watched.page.title()).not.toBe('');
    watched.expectNoProblems();
  });

  inBrowser('show the hourly cost of the current workers, and the Region and date of the prices', async (watched) => {
    const { page } = watched;
    await submit(service, '{"input":{"op":"sleep","ms":600000}}');
    await signIn(page, service, 'viewer');
    const figure = page.locator('.figures > div').filter({ hasText: 'Hourly cost of workers' });
    await figure.getByText('$0.05', { exact: true }).waitFor();
    await figure.getByText(/prices of us-east-1, \d{4}-\d\d-\d\d/).waitFor();
    await page.goto(`${origin}/console/endpoints/echo`);
    await figure.getByText('$0.05', { exact: true }).waitFor();
    await figure.getByText(/prices of us-east-1/).waitFor();
    watched.expectNoProblems();
  });

  inBrowser('load nothing from elsewhere', async (watched) => {
    await signIn(watched.page, service, 'viewer');
    await watched.page.waitForLoadState('networkidle');
    const urls = watched.requests().map(({ url }) => url);
    expect(urls.length).toBeGreaterThan(0);
    expect(urls.filter((url) => !url.startsWith('data:') && !url.startsWith(`${origin}/`))).toEqual([]);
    // The policy reports refused loads, which are not requests.
    watched.expectNoProblems();
  });

  inBrowser('show that an address is unknown, within the frame', async (watched) => {
    await signIn(watched.page, service, 'viewer', '/none/at/all');
    await watched.page.getByText('The console has no such page').waitFor();
    watched.expectNoProblems();
  });

  inBrowser('send no requests while they are hidden', async (watched) => {
    await watched.page.clock.install();
    await signIn(watched.page, service, 'viewer', '/endpoints/echo');
    await watched.page.waitForLoadState('networkidle');
    await watched.setHidden(true);
    watched.forget();
    await watched.page.clock.runFor(120_000);
    expect(watched.requests().filter(({ url }) => /\/v[12]\//.test(url))).toEqual([]);
    watched.expectNoProblems();
  });

  inBrowser('refuse injected scripts and images', async (watched) => {
    await signIn(watched.page, service, 'viewer');
    await watched.page.evaluate(`{
      const image = document.createElement('img');
      image.setAttribute('src', 'https://elsewhere.example/a.png');
      document.body.append(image);
      const script = document.createElement('script');
      try { script.textContent = 'globalThis.ran = true'; document.body.append(script); } catch {}
    }`);
    expect(await watched.page.evaluate('globalThis.ran')).toBeUndefined();
    expect(() => watched.expectNoProblems()).toThrow();
  });
});
