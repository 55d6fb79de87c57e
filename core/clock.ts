import { setTimeout as delay } from 'node:timers/promises';

/** The service's clock. It is injected everywhere, so that tests advance time instead of waiting. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after this number of milliseconds, or as soon as `signal` aborts. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The pause of a clock, for a wait that always ends with its process. */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export const systemClock: Clock = {
  now: () => Date.now(),
  pause: (milliseconds, signal) =>
    signal ? delay(milliseconds, undefined, { signal }).catch(() => undefined) : delay(milliseconds),
};

/** Returns whether the work finishes within `limit` milliseconds, with a result or an error. */
export async function endsWithin(limit: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), limit);
  const ended = work.then(
    () => true,
    () => true,
  );
  return Promise.race([ended, late]).finally(() => clearTimeout(timer));
}
