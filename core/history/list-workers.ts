/** Lists the workers of an endpoint that have stopped, and why. */

import type { Clock } from '../clock.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { startStagesOf } from '../fleet/stages.ts';
import { cursorOf, positionIn } from '../requests/cursor.ts';
import { isoTime } from '../requests/time.ts';
import { pageLimit, type QueryValue } from '../requests/validation.ts';
import { type StageSummary, summaryOfStage } from '../status/timeline.ts';
import type { EndedWorker } from './ended-worker.ts';
import { historyLimits } from './limits.ts';
import { type HistoryTimes, timesOf } from './request.ts';
import { POSITION, positionAt, timeOf, type WorkerHistory } from './store.ts';

export interface ListWorkersRequest extends HistoryTimes {
  readonly endpoint: string;
  readonly limit?: QueryValue | undefined;
  readonly cursor?: QueryValue | undefined;
}

/** A worker that has stopped. Times are ISO 8601. Unknown members are absent. */
export interface EndedWorkerSummary {
  readonly id: string;
  readonly revision?: number | undefined;
  readonly capacity?: string | undefined;
  readonly instance?: string | undefined;
  readonly createdAt?: string;
  readonly readySince?: string;
  readonly endedAt: string;
  readonly stopCode?: string | undefined;
  readonly reason?: string | undefined;
  readonly container?: string | undefined;
  readonly exitCode?: number | undefined;
  /** Stages of the start, until the worker was ready or stopped. */
  readonly timeline?: readonly StageSummary[];
}

export interface EndedWorkerList {
  readonly workers: readonly EndedWorkerSummary[];
  readonly readTo: string;
  readonly nextCursor?: string;
}

function summaryOf(worker: EndedWorker): EndedWorkerSummary {
  const { worker: id, revision, capacity, instance, createdAt, readyAt, endedAt } = worker;
  const { stopCode, reason, container, exitCode } = worker;
  return {
    id,
    revision,
    capacity,
    instance,
    ...(createdAt !== undefined && { createdAt: isoTime(createdAt) }),
    ...(readyAt !== undefined && { readySince: isoTime(readyAt) }),
    endedAt: isoTime(endedAt),
    stopCode,
    reason,
    container,
    exitCode,
    ...(createdAt !== undefined && { timeline: startStagesOf(worker, endedAt).map(summaryOfStage) }),
  };
}

/**
 * Lists the workers of an endpoint that have stopped, newest first, also those that stopped before they were ready.
 *
 * Input: endpoint, times, limit, cursor. Output: a page, the time up to which all workers are listed, and a cursor if
 * older ones follow.
 * @throws EndpointNotFound, InvalidRequest
 */
export async function listEndedWorkers(
  ports: { readonly clock: Clock; readonly endpoints: Endpoints; readonly workerHistory: WorkerHistory },
  request: ListWorkersRequest,
): Promise<EndedWorkerList> {
  const max = pageLimit(request.limit, historyLimits.page);
  const { from, to } = timesOf(request, ports.clock.now());
  const { id } = await deployed(ports, request.endpoint);
  const list = `ended workers of ${id}`;
  const cursor = request.cursor === undefined ? undefined : positionIn(list, request.cursor, POSITION);
  const { rows, reached } = await ports.workerHistory.read({
    endpoint: id,
    after: positionAt(from),
    before: cursor ?? positionAt(to + 1),
    isOldestFirst: false,
    max,
  });
  return {
    workers: rows.map(summaryOf),
    readTo: isoTime(reached === undefined ? from : timeOf(reached)),
    ...(reached !== undefined && { nextCursor: cursorOf(list, reached) }),
  };
}
