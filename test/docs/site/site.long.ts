/** Builds the documentation site, checks its files, and uses its pages in a browser. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type PreviewServer, preview } from 'vite';
import { anchorOf } from '../../../docs/.vitepress/anchor.ts';
import { checkSite } from '../../../docs/.vitepress/check/site.ts';
import { sectionsOf } from '../../../docs/.vitepress/navigation.ts';
import { START } from '../../../docs/.vitepress/pages.ts';
import {
  expectBrowser,
  openBrowser,
  openPage,
  type WatchedPage,
  withBrowser,
} from '../../../packages/console/test/browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const PHONE = { width: 390, height: 844 };

/** A page of each kind, with code, pictures and wide tables. */
const EXAMPLES = [
  '',
  'tutorials/from-runpod.html',
  'guides/console.html',
  'reference/permissions.html',
  'explanation/architecture.html',
];

/** Not checked by axe: VitePress shows the key of the search in its button, and axe reads both as one word. */
const RULES = { 'label-content-name-mismatch': { enabled: false } };

/** Returns the links of elements in the page. */
const linksOf = (elements: readonly { getAttribute(name: string): string | null }[]): string[] =>
  elements.map((element) => element.getAttribute('href') ?? '');

/** Evaluates to the visible texts of the sidebar that their box, the sidebar or the page's text cuts off. */
const CUT_OFF = `(() => {
  const sidebar = document.querySelector('.VPSidebar').getBoundingClientRect();
  const content = document.querySelector('.VPDoc').getBoundingClientRect();
  const end = Math.min(sidebar.right, content.left);
  return [...document.querySelectorAll('.VPSidebar .text')]
    .filter((text) => text.checkVisibility())
    .filter((text) => text.scrollWidth > text.clientWidth || text.getBoundingClientRect().right > end)
    .map((text) => text.textContent);
})()`;

/** Builds the site into a new folder. */
async function build(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'docs-'));
  const command = ['node_modules/vitepress/bin/vitepress.js', 'build', 'docs', '--outDir', folder];
  await promisify(execFile)(process.execPath, command, { env: { ...process.env, DOCS_BASE: '/docs/' } });
  return folder;
}

/** Returns the hash of each file by its path. */
const hashesOf = (folder: string) =>
  Object.fromEntries(
    globSync('**/*.*', { cwd: folder }).map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('hex'),
    ]),
  );

describe('the documentation site', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await build();
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('consists of the same files after each build', async () => {
    const again = await build();
    const hashes = hashesOf(again);
    rmSync(again, { recursive: true });
    expect(hashes).toEqual(hashesOf(folder));
  }, 300_000);

  it('refers only to pages, headings and pictures that exist', () => {
    const { pages, failures } = checkSite(folder, '/docs/');
    expect(failures).toEqual([]);
    expect(pages).toBeGreaterThan(50);
  });

  it('has a start page with the commands of the README and a card for each reader', () => {
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    const [, ...readers] = sectionsOf(START).map(({ heading }) => heading);
    const cards = [...html.matchAll(/<section><h2 id="([^"]+)"/g)].map(([, id]) => id);
    expect(cards).toEqual(['Try it', ...readers].map(anchorOf));
  });

  it('is used in Chromium if the browser is required', () => expectBrowser('the documentation site'));

  describe('in a browser', () => {
    let server: PreviewServer;
    let browser: Browser;
    let root: string;
    beforeAll(async () => {
      if (!withBrowser) return;
      const site = { configFile: false, appType: 'mpa', base: '/docs/', build: { outDir: folder } } as const;
      server = await preview({ ...site, logLevel: 'silent', preview: { host: '127.0.0.1', port: 0 } });
      root = `http://127.0.0.1:${(server.httpServer.address() as AddressInfo).port}/docs/`;
      browser = await openBrowser();
    });
    afterAll(async () => {
      await browser?.close();
      await server?.close();
    });

    async function opened(path: string, options: Parameters<typeof openPage>[1] = {}): Promise<WatchedPage> {
      const watched = await openPage(browser, options);
      await watched.page.goto(root + path, { waitUntil: 'networkidle' });
      return watched;
    }

    it('fits the width of a phone on every page, and requests nothing from other sites', async () => {
      if (!withBrowser) return;
      const { page, requests, expectNoProblems, close } = await opened('', { viewport: PHONE });
      const wide: string[] = [];
      for (const path of globSync('**/*.html', { cwd: folder })) {
        await page.goto(root + path, { waitUntil: 'load' });
        const isWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
        if (isWide) wide.push(path);
      }
      expect(wide).toEqual([]);
      const foreign = requests().filter(({ url }) => !url.startsWith(root) && !url.startsWith('data:'));
      expect(foreign).toEqual([]);
      expectNoProblems();
      await close();
    }, 300_000);

    it.each(EXAMPLES)('has no serious or critical axe finding in either theme on /%s', async (path) => {
      if (!withBrowser) return;
      const found: string[] = [];
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page, close } = await opened(path, { colorScheme });
        await page.evaluate(AXE);
        const call = `axe.run(document, { resultTypes: ['violations'], rules: ${JSON.stringify(RULES)} })`;
        const serious = await page.evaluate<string[]>(`${call}.then(({ violations }) => violations
          .filter(({ impact }) => ['serious', 'critical'].includes(impact))
          .map(({ id, help, nodes }) => '${colorScheme}: ' + id + ': ' + help + ': ' + nodes[0].html.slice(0, 200)))`);
        found.push(...serious);
        await close();
      }
      expect(found).toEqual([]);
    });

    it('finds a page by a word', async () => {
      if (!withBrowser) return;
      const { page, expectNoProblems, close } = await opened('');
      await page.keyboard.press('Control+k');
      await page.locator('#localsearch-input').fill('retry');
      await page.locator('.VPLocalSearchBox .result').first().click();
      await page.locator('.VPDoc h1').waitFor();
      expect(await page.locator('.VPDoc').textContent()).toMatch(/retry/i);
      expectNoProblems();
      await close();
    });

    it.each(['deploy', 'webhook', 'cancel', 'pool', 'lease'])(
      'finds no decision record first for "%s"',
      async (word) => {
        if (!withBrowser) return;
        const { page, close } = await opened('');
        await page.keyboard.press('Control+k');
        await page.locator('#localsearch-input').fill(word);
        await page.locator('.VPLocalSearchBox .result').first().waitFor();
        const results = await page.locator('.VPLocalSearchBox .result').evaluateAll(linksOf);
        expect(results.length).toBeGreaterThanOrEqual(5);
        expect(results.slice(0, 5).filter((link) => /\/adr\/|\/changelog/.test(link))).toEqual([]);
        await close();
      },
    );

    it.each([1280, 1440, 1560, 1719, 1920])(
      'shows the whole text of the sidebar in a window of %d px',
      async (width) => {
        if (!withBrowser) return;
        const { page, close } = await opened('guides/deploy.html', { viewport: { width, height: 900 } });
        expect(await page.evaluate<string[]>(CUT_OFF)).toEqual([]);
        await close();
      },
    );

    it('shows pictures of the theme that the reader chooses, not of the operating system', async () => {
      if (!withBrowser) return;
      const { page, close } = await opened('readme.html', { colorScheme: 'dark' });
      const shown = () => page.evaluate<string>(`document.querySelector('picture img').currentSrc`);
      expect(await shown()).toMatch(/overview-dark/);
      await page.locator('.VPSwitchAppearance').first().click();
      await page.waitForFunction(`document.querySelector('picture img').currentSrc.includes('overview-light')`);
      expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('light');
      await close();
    });
  });
});
