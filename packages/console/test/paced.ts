/** Controls the clock of a page, so that a minute of polling takes seconds. */
import type { Page } from 'playwright-core';
import { trackUnanswered } from './chromium.ts';
import { eventually } from './service.ts';

export interface PacedPage {
  /** Stops the clock of the page after all its requests are answered. */
  pause(): Promise<void>;
  /**
   * Advances the clock of the page in steps. Responses arrive in real time, so each step begins when the responses
   * of the last step are drawn. Repeated requests within a step are sent only once.
   * @param seconds to advance
   * @param between called after each step
   */
  pass(seconds: number, step: number, between?: () => Promise<void>): Promise<void>;
  /** Returns the sum of all layout shifts of the document so far. */
  layoutShift(): Promise<number>;
}

const SECOND = 1_000;

/** Provides the browser's own frames, which the page's clock does not control, and sums every layout shift. */
const OBSERVE = `{
  const draw = requestAnimationFrame.bind(globalThis);
  globalThis.drawn = () => new Promise((resolve) => draw(() => draw(resolve)));
  globalThis.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) globalThis.layoutShift += value;
  }).observe({ type: 'layout-shift', buffered: true });
}`;

/** Call this function before the page is loaded. */
export async function pacedPage(page: Page): Promise<PacedPage> {
  const unanswered = trackUnanswered(page);
  await page.addInitScript(OBSERVE);
  await page.clock.install();

  async function answered(): Promise<void> {
    await eventually('all requests are answered', () => unanswered.size === 0 || undefined, { every: 5 });
    await page.evaluate('drawn()');
  }

  return {
    async pause() {
      await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + SECOND);
      await answered();
    },
    async pass(seconds, step, between) {
      for (let second = 0; second < seconds; second += step) {
        await page.clock.runFor(step * SECOND);
        await answered();
        await between?.();
      }
    },
    layoutShift: () => page.evaluate<number>('layoutShift'),
  };
}
