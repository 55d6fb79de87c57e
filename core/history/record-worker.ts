/** Adds workers that have stopped to the history. */
import type { TaskEvent } from '../fleet/event.ts';
import { stopCauseOf } from '../fleet/fact-from-event.ts';
import type { StartTimes } from '../fleet/start.ts';
import type { EndedWorker } from './ended-worker.ts';
import { cut } from './fingerprint.ts';
import { historyLimits } from './limits.ts';
import type { WorkerHistory } from './store.ts';

/**
 * Stores that a worker has stopped. Events of a stop can arrive several times; each stores the same row.
 * @param start times of the worker's start, from all events
 */
export async function saveEndedWorker(
  { workerHistory }: { readonly workerHistory: WorkerHistory },
  endpoint: string,
  event: TaskEvent,
  start: StartTimes,
): Promise<void> {
  if (!workerHistory.isKept) return;
  const { worker, revision, stopCode, stoppedAt = event.at } = event;
  const { reason, container, exitCode } = stopCauseOf(event);
  const row: EndedWorker = {
    ...start,
    endpoint,
    worker,
    revision,
    capacity: event.capacityProviderName ?? event.launchType,
    endedAt: stoppedAt,
    stopCode,
    ...(reason && { reason: cut(reason, historyLimits.stopReason) }),
    container,
    exitCode,
  };
  await workerHistory.save([row]);
}
