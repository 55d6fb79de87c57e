/** Time limits that pass when the test moves them. The clock and the threads of functions keep the real time. */
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

/** Makes time limits that begin from now on pass only by `passTime`, until `jest.useRealTimers`. */
export const holdTime = (): void => {
  jest.useFakeTimers({ doNotFake: [...KEPT] });
};

export const passTime = (milliseconds: number): Promise<void> => jest.advanceTimersByTimeAsync(milliseconds);
