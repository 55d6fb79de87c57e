import { setTimeout as delay } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after so many milliseconds, or at once when the signal is aborted. */
  sleep(milliseconds: number, stop: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds, stop) => delay(milliseconds, undefined, { signal: stop }).catch(() => undefined),
};
