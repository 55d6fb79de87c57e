/** What the agent and the SDK need of their process: the signals that end it, and pauses that a signal cuts short. */
import type { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** Waits for so many milliseconds; returns early once `signal` aborts. */
export const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, { signal }).catch(() => undefined);

export type Pause = typeof sleep;

/**
 * Calls `listener` when the process is asked to end. It listens as long as the process lives: a second signal without a
 * listener would end the process during its shutdown, and the jobs that it holds would wait for its lease to end.
 */
export function onEndSignal(listener: () => void, signals: EventEmitter = process): void {
  for (const signal of ['SIGTERM', 'SIGINT']) signals.on(signal, listener);
}
