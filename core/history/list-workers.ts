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
import { summaryOfJobs, type WorkerJobCounts, type WorkerJobs, type WorkerJobsSummary } from './worker-jobs.ts';

export interface ListWorkersRequest extends HistoryTimes {
  readonly endpoint: string;
  readonly limit?: QueryValue | undefined;
  readonly cursor?: QueryValue | undefined;
}

/** A worker that has stopped. Times are ISO 8601. Unknown members are absent. */
export interface EndedWorkerSummary extends WorkerJobsSummary {
  readonly id: string;
  readonly revision?: number | undefined;
  readonly capacity?: string | undefined;
  readonly instance?: string | undefined;
  /** Type of the instance. */
  readonly type?: string | undefined;
  readonly createdAt?: string;
  readonly readySince?: string;
  readonly endedAt: string;
  readonly stopCode?: string | undefined;
  readonly reason?: string | undefined;
  readonly container?: string | undefined;
  readonly exitCode?: number | undefined;
  readonly dollars?: number | undefined;
  /** Stages of the start, until the worker was ready or stopped. */
  readonly timeline?: readonly StageSummary[];
}

export interface EndedWorkerList {
  readonly workers: readonly EndedWorkerSummary[];
  readonly readTo: string;
  readonly nextCursor?: string;
}

function summaryOf(worker: EndedWorker, jobs: WorkerJobs | undefined): EndedWorkerSummary {
  const { worker: id, revision, capacity, instance, type, createdAt, readyAt, endedAt } = worker;
  const { stopCode, reason, container, exitCode, dollars } = worker;
  return {
    id,
    revision,
    capacity,
    instance,
    type,
    ...(createdAt !== undefined && { createdAt: isoTime(createdAt) }),
    ...(readyAt !== undefined && { readySince: isoTime(readyAt) }),
    endedAt: isoTime(endedAt),
    stopCode,
    reason,
    container,
    exitCode,
    dollars,
    ...summaryOfJobs(jobs),
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
  ports: {
    readonly clock: Clock;
    readonly endpoints: Endpoints;
    readonly workerHistory: WorkerHistory;
    readonly workerJobCounts: WorkerJobCounts;
  },
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
  const jobs = await ports.workerJobCounts.read(
    id,
    rows.map(({ worker }) => worker),
  );
  return {
    workers: rows.map((row) => summaryOf(row, jobs.get(row.worker))),
    readTo: isoTime(reached === undefined ? from : timeOf(reached)),
    ...(reached !== undefined && { nextCursor: cursorOf(list, reached) }),
  };
}
