/** Tests that receivers that never answer do not delay deliveries to other receivers. */
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../local-service.ts';
import type { Receivers } from './receivers.ts';

export interface Rounds {
  /** Number of jobs in each round. In rounds with dead receivers, 30 % of the jobs have a dead receiver. */
  readonly jobs: number;
  /** Number of rounds without and with dead receivers. One slow round does not change the median. */
  readonly repeats: number;
  /** Available when tests run. */
  receivers(): Receivers;
  /**
   * Submits a job whose receiver has this path.
   * @returns its id
   */
  submitted(path: string): Promise<string>;
}

/** Milliseconds. Shorter times are not significant, because the stream is read four times a second. */
const FLOOR = 250;

const median = (values: readonly number[]) => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

export function describeDeadReceivers({ jobs: count, repeats, receivers: all, submitted }: Rounds): void {
  describe('dead receivers', () => {
    /** Returns the 95th percentile of the time from submission to call, of jobs with a good receiver. */
    async function p95(name: string, isDead: (n: number) => boolean): Promise<number> {
      const submissions = new Map<string, number>();
      for (let n = 0; n < count; n += 1) {
        const path = isDead(n) ? `/dead/${name}` : `/ok/${name}-${n}`;
        if (!isDead(n)) submissions.set(path, Date.now());
        await submitted(path);
      }
      const times = [...submissions].map(([path, at]) =>
        eventually(`${path} is called`, () => {
          const [post] = all().posts(path);
          return post && post.at - at;
        }),
      );
      const sorted = (await Promise.all(times)).sort((one, other) => one - other);
      return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
    }

    it('do not delay the deliveries to other receivers', async () => {
      const without: number[] = [];
      const withDead: number[] = [];
      for (let repeat = 0; repeat < repeats; repeat += 1) {
        without.push(await p95(`without-${repeat}`, () => false));
        withDead.push(await p95(`with-${repeat}`, (n) => n % 10 < 3));
        await eventually('each dead receiver is called', () => all().posts(`/dead/with-${repeat}`)[0.3 * count - 1]);
        expect(all().posts(`/dead/with-${repeat}`)).toHaveLength(0.3 * count);
        all().revive();
      }
      console.log(`p95 of good receivers, round by round: ${without} ms, and ${withDead} ms while 30 % are dead.`);
      expect(median(withDead)).toBeLessThanOrEqual(2 * Math.max(median(without), FLOOR));
    });
  });
}
