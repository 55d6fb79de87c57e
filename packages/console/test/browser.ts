/** Opens pages of the console in Debian's Chromium, and collects their problems. */
import { existsSync } from 'node:fs';
import { expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { CHROMIUM, REPORT } from './chromium.ts';

export { openBrowser } from './chromium.ts';

/** Whether pages are tested: Chromium is installed or required. */
export const withBrowser = process.env.REQUIRE_BROWSER === '1' || existsSync(CHROMIUM);

/**
 * Expects that Chromium is installed if it is required.
 * @param what name of the feature that is not tested without Chromium, such as `the sign-in`
 */
export function expectBrowser(what: string): void {
  if (!withBrowser) console.log(`${CHROMIUM} is not installed, so ${what} is not tested.`);
  expect(existsSync(CHROMIUM)).toBe(withBrowser);
}

export interface Request {
  readonly method: string;
  readonly url: string;
}

export interface WatchedPage {
  readonly page: Page;
  /** All requests since the page was opened, or since the last `forget`. */
  requests(): readonly Request[];
  forget(): void;
  /**
   * Fails after a script error, a console error or warning, or a policy violation.
   * @param expected messages that the test causes, such as the message for a request with status 404
   */
  expectNoProblems(expected?: readonly RegExp[]): void;
  /** Hides the page as if another tab were selected, or shows it again. */
  setHidden(isHidden: boolean): Promise<void>;
  close(): Promise<void>;
}

export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  const page = await context.newPage();
  await page.addInitScript(REPORT);
  const problems: string[] = [];
  let requests: Request[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => problems.push(`${error.name}: ${error.message}`));
  page.on('request', (request) => requests.push({ method: request.method(), url: request.url() }));
  return {
    page,
    requests: () => requests,
    forget() {
      requests = [];
    },
    expectNoProblems(expected = []) {
      expect(problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)))).toEqual([]);
    },
    async setHidden(isHidden) {
      await page.evaluate(`
        Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${isHidden ? 'hidden' : 'visible'}' });
        Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      `);
    },
    close: () => context.close(),
  };
}
