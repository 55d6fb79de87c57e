import { setTimeout as delay } from 'node:timers/promises';

/** The service's clock, injected everywhere so that tests move time instead of waiting for it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after so many milliseconds. */
  pause(milliseconds: number): Promise<void>;
}

export const systemClock: Clock = { now: () => Date.now(), pause: (milliseconds) => delay(milliseconds) };
