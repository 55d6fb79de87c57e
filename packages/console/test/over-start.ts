/** Runs the console over `npm start`, for tests that act as a user. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, it } from '@jest/globals';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { expectBrowser, openBrowser, openPage, type WatchedPage, withBrowser } from './browser.ts';
import { copyAssembly, type LocalService, newStateDir, sharedAssembly, startService, stopService } from './service.ts';

export interface Console {
  service(): LocalService;
  /** Origin of the service, such as `http://127.0.0.1:4000`. */
  origin(): string;
  /**
   * Defines a test with its own page.
   * @param expected messages that the browser console can contain
   */
  inBrowser(title: string, test: (watched: WatchedPage) => Promise<void>, expected?: readonly RegExp[]): void;
}

interface Options {
  /** Name of the feature that is not tested without a browser, such as `the sign-in`. */
  readonly what: string;
  /** Changes the assembly before it is deployed. */
  readonly change?: (assembly: string) => void;
  readonly page?: BrowserContextOptions;
}

/** Milliseconds that a user's step can take on a busy machine. */
const STEP = 60_000;

/**
 * Starts the service and a browser before the tests of a file, and stops both after them. Call this function at the
 * top of the file.
 */
export function consoleOverStart({ what, change, page }: Options): Console {
  let service: LocalService;
  let browser: Browser | undefined;

  async function assembly(): Promise<string> {
    if (!change) return sharedAssembly();
    const folder = join(mkdtempSync(join(tmpdir(), 'console-assembly-')), 'assembly');
    await copyAssembly(folder);
    change(folder);
    return folder;
  }

  beforeAll(async () => {
    if (!withBrowser) return;
    service = await startService(newStateDir(), { args: ['--assembly', await assembly()] });
    // The first page waits for the build, which can take longer than a step.
    await fetch(new URL('/console/', service.JobApiUrl));
    browser = await openBrowser();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    if (service) await stopService(service);
  });

  it(`finds Chromium if ${what} must be tested`, () => expectBrowser(what));

  return {
    service: () => service,
    origin: () => new URL(service.JobApiUrl).origin,
    inBrowser: (title, test, expected) =>
      it(title, async () => {
        if (!browser) return;
        const watched = await openPage(browser, page);
        watched.page.setDefaultTimeout(STEP);
        try {
          await test(watched);
          watched.expectNoProblems(expected);
        } finally {
          await watched.close();
        }
      }, 240_000),
  };
}
