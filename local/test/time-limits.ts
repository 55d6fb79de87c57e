/** Time limits that pass when the test says so. The clock, and the threads of functions, keep the real time. */
import { jest } from '@jest/globals';

const KEPT = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
] as const;

/** Time limits that begin from now on pass by `passTime` alone, until `jest.useRealTimers`. */
export const holdTime = (): void => {
  jest.useFakeTimers({ doNotFake: [...KEPT] });
};

export const passTime = (milliseconds: number): Promise<void> => jest.advanceTimersByTimeAsync(milliseconds);
