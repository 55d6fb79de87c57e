/** A page whose clock the test moves: a minute of polling takes seconds. */
import type { Page, Request } from 'playwright-core';
import { eventually } from '../acceptance/local-service.ts';

export interface PacedPage {
  /** Stops the clock of the page, once everything that it has asked for is there. */
  pause(): Promise<void>;
  /**
   * Lets time pass on the page. Answers come in real time, so each step begins when those of the last one are drawn: what
   * the page asks twice within a step, it asks once.
   * @param seconds of the page
   * @param between is called after each step
   */
  pass(seconds: number, step: number, between?: () => Promise<void>): Promise<void>;
  /** The sum of all layout shifts of the document so far. */
  layoutShift(): Promise<number>;
}

const SECOND = 1_000;

/** The browser's own frames, which the clock of the page does not hold, and every shift of the layout. */
const OBSERVE = `{
  const draw = requestAnimationFrame.bind(globalThis);
  globalThis.drawn = () => new Promise((resolve) => draw(() => draw(resolve)));
  globalThis.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) globalThis.layoutShift += value;
  }).observe({ type: 'layout-shift', buffered: true });
}`;

/** Call it before the page is loaded. */
export async function pacedPage(page: Page): Promise<PacedPage> {
  const unanswered = new Set<Request>();
  page.on('request', (request) => unanswered.add(request));
  for (const event of ['requestfinished', 'requestfailed'] as const)
    page.on(event as 'requestfinished', (request) => unanswered.delete(request));
  await page.addInitScript(OBSERVE);
  await page.clock.install();

  async function settle(): Promise<void> {
    await eventually('the answers are there', () => unanswered.size === 0 || undefined, { every: 5 });
    await page.evaluate('drawn()');
  }

  return {
    async pause() {
      await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + SECOND);
      await settle();
    },
    async pass(seconds, step, between) {
      for (let second = 0; second < seconds; second += step) {
        await page.clock.runFor(step * SECOND);
        await settle();
        await between?.();
      }
    },
    layoutShift: () => page.evaluate<number>('layoutShift'),
  };
}
