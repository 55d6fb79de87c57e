/** The service's clock, injected everywhere so that tests move time instead of waiting for it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
