/** Measures pages of the console in a browser. */
import type { Page } from 'playwright-core';
import type { Service } from '../../../../test/support/service.ts';
import { pacedPage } from '../../../console/test/paced.ts';
import { signIn } from '../../../console/test/sign-in.ts';
import { blockingOf, type Frames, framesOf, type Load } from './figures.ts';

const OBSERVE = `{
  globalThis.largestPaint = 0;
  globalThis.longTasks = [];
  const observe = (type, add) =>
    new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true });
  observe('largest-contentful-paint', ({ startTime }) => { globalThis.largestPaint = startTime; });
  observe('longtask', ({ duration }) => globalThis.longTasks.push(duration));
}`;

/** Seconds in which a page refreshes ten times, and seconds between two checks. */
const REFRESHES = 100;
const STEP = 5;

/** Number of ranges in which a tree shows an array of 100,000 elements. */
const JSON_RANGES = 10;

/** Number of frames of a scroll. */
const FRAMES = 300;

const addresses = ({ consoleUrl, jobApiUrl }: Service) => ({ ConsoleUrl: consoleUrl, JobApiUrl: jobApiUrl });

/**
 * Loads the page with an empty cache and lets it refresh ten times. The paint includes the time of the service
 * and the browser. The refreshes follow each other without a pause.
 * @param path path below `/console`
 * @param text text that the loaded page shows
 */
export async function measureLoad(page: Page, service: Service, path: string, text: string): Promise<Load> {
  await page.addInitScript(OBSERVE);
  const paced = await pacedPage(page);
  await signIn(page, addresses(service), 'admin', path);
  const network = await page.context().newCDPSession(page);
  await network.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(`${new URL(service.jobApiUrl).origin}/console${path}`);
  await page.getByText(text).first().waitFor();
  await paced.pause();
  await paced.pass(REFRESHES, STEP);
  return {
    largestPaint: await page.evaluate<number>('largestPaint'),
    blocking: blockingOf(await page.evaluate<number[]>('longTasks')),
  };
}

/**
 * Scrolls to the end and back, as a user who drags the scroll bar.
 * @param selector selector of the element that scrolls
 */
const scrolled = (page: Page, selector: string) =>
  page.evaluate<number[]>(`new Promise((resolve) => {
    const scroller = document.querySelector('${selector}');
    const height = scroller.scrollHeight - scroller.clientHeight;
    const times = [];
    let before;
    requestAnimationFrame(function frame(now) {
      if (before !== undefined) times.push(now - before);
      before = now;
      const way = 2 * times.length / ${FRAMES};
      scroller.scrollTop = height * (way < 1 ? way : 2 - way);
      if (times.length < ${FRAMES}) requestAnimationFrame(frame);
      else resolve(times);
    });
  })`);

interface List {
  /** Path below `/console`. */
  readonly path: string;
  readonly selector: string;
  /** Replaces responses of the service. */
  prepare(page: Page): Promise<unknown>;
  /** Does what a user does until the list is shown. */
  show(page: Page): Promise<void>;
}

export async function measureFrames(page: Page, service: Service, list: List): Promise<Frames> {
  await list.prepare(page);
  await signIn(page, addresses(service), 'admin', list.path);
  await list.show(page);
  return framesOf(await scrolled(page, list.selector));
}

/**
 * Returns the lists that can have 100,000 entries, by what they show.
 * @param id id of a job
 */
export function listsOf(
  id: string,
  answers: Readonly<Record<'withJobs' | 'withOutput' | 'withChunks', (page: Page, id: string) => Promise<unknown>>>,
): ReadonlyMap<string, List> {
  const job = (tab: string) => `/endpoints/echo/jobs/${id}?tab=${tab}`;
  return new Map<string, List>([
    [
      '100,000 jobs, a page of 100',
      {
        path: '/endpoints/echo?size=100',
        selector: 'html',
        prepare: (page) => answers.withJobs(page, id),
        show: (page) => page.getByRole('row').nth(100).waitFor(),
      },
    ],
    [
      '100,000 jobs as JSON',
      {
        path: job('output'),
        selector: '[role=tree]',
        prepare: (page) => answers.withOutput(page, id),
        async show(page) {
          await page.getByRole('button', { name: 'Show', exact: true }).click();
          const tree = page.getByRole('tree', { name: 'Output' });
          await tree.press('End');
          // Opens the ranges from the last to the first, because a range moves only if a range before it opens.
          for (let range = 0; range < JSON_RANGES; range += 1) {
            await tree.press('ArrowRight');
            await tree.press('ArrowUp');
          }
          await page.getByRole('treeitem').nth(JSON_RANGES).waitFor();
        },
      },
    ],
    [
      '100,000 chunks of a stream',
      {
        path: job('stream'),
        selector: '[aria-label=Chunks]',
        prepare: (page) => answers.withChunks(page, id),
        show: (page) => page.getByText('100,000 chunks in all').waitFor(),
      },
    ],
  ]);
}
