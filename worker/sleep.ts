import { setTimeout as delay } from 'node:timers/promises';

/** Waits so many milliseconds; returns early once `signal` aborts. */
export const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, { signal }).catch(() => undefined);
