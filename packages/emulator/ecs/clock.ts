import { setTimeout as delay } from 'node:timers/promises';

export interface Clock {
  /** Returns milliseconds since 1970. */
  now(): number;
  /** Resolves after the given number of milliseconds, or immediately when the signal is aborted. */
  sleep(milliseconds: number, stop: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds, stop) => delay(milliseconds, undefined, { signal: stop }).catch(() => undefined),
};
