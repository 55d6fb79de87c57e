import { setTimeout as delay } from 'node:timers/promises';

/** The service's clock. It is injected everywhere, so that tests advance time instead of waiting. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after this number of milliseconds. */
  pause(milliseconds: number): Promise<void>;
}

export const systemClock: Clock = { now: () => Date.now(), pause: (milliseconds) => delay(milliseconds) };
