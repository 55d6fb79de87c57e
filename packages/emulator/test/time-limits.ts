/** Timeouts that pass when the test lets them. The clock and the threads of functions use the real time. */
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

/** Makes new timeouts pass only through `passTime`, until `jest.useRealTimers` is called. */
export const holdTime = (): void => {
  jest.useFakeTimers({ doNotFake: [...KEPT] });
};

export const passTime = (milliseconds: number): Promise<void> => jest.advanceTimersByTimeAsync(milliseconds);
