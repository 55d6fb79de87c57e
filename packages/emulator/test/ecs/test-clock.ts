/** A clock for tests of ECS, which stands still until the test advances it. */
import type { Clock } from '../../ecs/clock.ts';

export interface FakeClock extends Clock {
  /** Lengths of all sleeps so far, in milliseconds. */
  readonly sleeps: readonly number[];
  /** Advances the time, resolves the sleeps that are over by then, and runs the code that waits for them. */
  pass(milliseconds: number): Promise<void>;
}

export function fakeClock(): FakeClock {
  let time = Date.UTC(2026, 0, 1);
  const sleeps: number[] = [];
  const sleepers = new Set<{ readonly until: number; wake(): void }>();
  return {
    sleeps,
    now: () => time,
    sleep(milliseconds, stop) {
      sleeps.push(milliseconds);
      const { promise, resolve } = Promise.withResolvers<void>();
      const sleeper = { until: time + milliseconds, wake: resolve };
      sleepers.add(sleeper);
      stop.addEventListener('abort', () => resolve());
      return promise.finally(() => sleepers.delete(sleeper));
    },
    async pass(milliseconds) {
      time += milliseconds;
      for (const { until, wake } of sleepers) if (until <= time) wake();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
