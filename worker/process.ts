import type { EventEmitter } from 'node:events';

/**
 * Calls `listener` when a signal asks the process to stop. The listener is never removed: without it, a second
 * signal would kill the process during its shutdown, and its jobs would wait until its lease expires.
 */
export function onEndSignal(listener: () => void, signals: EventEmitter = process): void {
  for (const signal of ['SIGTERM', 'SIGINT']) signals.on(signal, listener);
}
