/** Adds workers that have stopped to the history. */
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { TaskEvent } from '../fleet/event.ts';
import { stopCauseOf } from '../fleet/fact-from-event.ts';
import type { Starts, StartTimes } from '../fleet/start.ts';
import { dollarsOf, roundedDollars } from './cost.ts';
import type { EndedWorker } from './ended-worker.ts';
import { cut } from './fingerprint.ts';
import { historyLimits } from './limits.ts';
import { beginOfLife } from './open-worker.ts';
import type { WorkerHistory } from './store.ts';

/** Returns the price of the worker's time, from its place on a machine to its stop. */
function priceOf({ workerPrice }: Pick<Endpoint, 'workerPrice'>, start: StartTimes, endedAt: number) {
  const begin = beginOfLife(start);
  if (begin === undefined || workerPrice === undefined) return undefined;
  return roundedDollars(dollarsOf(Math.max(0, endedAt - begin), workerPrice));
}

/**
 * Stores that a worker has stopped. Events of a stop can arrive several times; each stores the same row.
 * @param start times of the worker's start, from all events
 */
export async function saveEndedWorker(
  { starts, workerHistory }: { readonly starts: Pick<Starts, 'read'>; readonly workerHistory: WorkerHistory },
  endpoint: Pick<Endpoint, 'id' | 'workerPrice'>,
  event: TaskEvent,
  start: StartTimes,
): Promise<void> {
  if (!workerHistory.isKept) return;
  const { worker, revision, stopCode, stoppedAt = event.at } = event;
  const { reason, container, exitCode } = stopCauseOf(event);
  // ECS knows the type of an instance, and its events can arrive after those of the task.
  const instance = start.instance === undefined ? undefined : await starts.read(endpoint.id, worker);
  const { type, launchedAt, registeredAt } = instance ?? {};
  const row: EndedWorker = {
    ...start,
    type,
    launchedAt,
    registeredAt,
    endpoint: endpoint.id,
    worker,
    revision,
    capacity: event.capacityProviderName ?? event.launchType,
    endedAt: stoppedAt,
    stopCode,
    ...(reason && { reason: cut(reason, historyLimits.stopReason) }),
    container,
    exitCode,
    dollars: priceOf(endpoint, start, stoppedAt),
  };
  await workerHistory.save([row]);
}
