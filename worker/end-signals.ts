import type { EventEmitter } from 'node:events';

/**
 * Calls back when the process is asked to end. It listens as long as the process lives: another signal that nobody
 * listens for would end it amid what the first one began, and the jobs that it holds would wait for its lease to end.
 */
export function onEndSignal(listener: () => void, signals: EventEmitter = process): void {
  for (const signal of ['SIGTERM', 'SIGINT']) signals.on(signal, listener);
}
