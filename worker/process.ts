/**
 * Functions that the agent and the SDK share: one listens for the signals that stop the process, and one pauses
 * until a time is over or an `AbortSignal` aborts.
 */
import type { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** Waits for this many milliseconds; returns early if `signal` aborts. */
export const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, { signal }).catch(() => undefined);

export type Pause = typeof sleep;

/**
 * Calls `listener` when a signal asks the process to stop. The listener is never removed: without it, a second
 * signal would kill the process during its shutdown, and its jobs would wait until its lease expires.
 */
export function onEndSignal(listener: () => void, signals: EventEmitter = process): void {
  for (const signal of ['SIGTERM', 'SIGINT']) signals.on(signal, listener);
}
