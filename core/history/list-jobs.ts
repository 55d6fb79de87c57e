/** Lists jobs that have ended, also those whose results are no longer retained. */
import type { Clock } from '../clock.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { submittedAt } from '../jobs/id.ts';
import { traceIdOf } from '../jobs/trace.ts';
import { jsonText } from '../json/json.ts';
import { cursorOf, positionIn } from '../requests/cursor.ts';
import { isoTime } from '../requests/time.ts';
import { pageLimit, type QueryValue } from '../requests/validation.ts';
import { earlierAttempts } from './earlier-attempts.ts';
import type { EndedJob } from './ended-job.ts';
import { historyLimits } from './limits.ts';
import { readEnded } from './read.ts';
import { endpointsOf, type HistoryFilters, type HistoryTimes, jobIn, matcherOf, timesOf } from './request.ts';
import { type AttemptHistory, type JobHistory, POSITION, positionAt, timeOf } from './store.ts';

export interface ListJobsRequest extends HistoryFilters, HistoryTimes {
  /** Ids of the endpoints that the caller may call; `*` means all. */
  readonly permitted: readonly string[];
  readonly endpoint?: QueryValue | undefined;
  /** Id of the only job to list. */
  readonly job?: QueryValue | undefined;
  readonly limit?: QueryValue | undefined;
  readonly cursor?: QueryValue | undefined;
}

export type HistoryPorts = {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly jobHistory: JobHistory;
};

export type ListJobsPorts = HistoryPorts & { readonly attemptHistory: AttemptHistory };

/** Returns a job as responses show it. */
export function endedSummary(job: EndedJob) {
  const { endpoint, id, status, code, error, fingerprint, owner, key, worker, revision } = job;
  const { acceptedAt, queuedAt, startedAt, finishedAt, attempts, rescues, retries, inputBytes, outputBytes } = job;
  return {
    id,
    endpoint,
    status,
    code,
    error,
    fingerprint,
    createdAt: isoTime(acceptedAt),
    ...(startedAt !== undefined && { startedAt: isoTime(startedAt) }),
    endedAt: isoTime(finishedAt),
    delayTime: Math.max(0, (startedAt ?? finishedAt) - queuedAt),
    executionTime: startedAt === undefined ? 0 : Math.max(0, finishedAt - startedAt),
    attempts,
    rescues,
    retries,
    lowPriority: job.lowPriority ?? false,
    worker,
    revision,
    owner,
    key,
    inputBytes,
    outputBytes,
    ...(job.trace !== undefined && { traceId: traceIdOf(job.trace) }),
    workerTime: job.workerTime,
    dollars: job.dollars,
  };
}

/**
 * Lists jobs that have ended, newest end first. A job that was retried is listed with each of its ends.
 *
 * Input: filters, times, limit, cursor. Output: a page as JSON text, the time up to which all jobs were compared with
 * the filters, and a cursor if there are more jobs to compare.
 *  1. Refuse parameters out of bounds, an endpoint that the caller may not call, and a cursor of another list.
 *  2. Compare at most `historyLimits.read` jobs. If few of them match, a page can have fewer jobs than its limit, even
 *     none.
 *  3. With the id of a job, begin at the time in the id, list the oldest end first, and add the earlier attempts.
 */
export async function listJobs(ports: ListJobsPorts, request: ListJobsRequest): Promise<string> {
  const max = pageLimit(request.limit, historyLimits.page);
  const now = ports.clock.now();
  const job = jobIn(request.job);
  const matchesFilters = matcherOf(request);
  const since = request.since ?? (job === undefined ? undefined : isoTime(submittedAt(job)));
  const { from, to } = timesOf({ ...request, since }, now);
  const endpoints = await endpointsOf(ports, request.endpoint, request.permitted);

  const list = listOf(request);
  const cursor = request.cursor === undefined ? undefined : positionIn(list, request.cursor, POSITION);
  const isOldestFirst = job !== undefined;
  const { jobs, position } = await readEnded(ports, {
    endpoints,
    after: (isOldestFirst && cursor) || positionAt(from),
    before: (!isOldestFirst && cursor) || positionAt(to + 1),
    isOldestFirst,
    matches: (ended) => (job === undefined || ended.id === job) && matchesFilters(ended),
    max,
    read: historyLimits.read,
  });
  const summaries = await Promise.all(
    jobs.map(async (ended) => ({
      ...endedSummary(ended),
      ...(job !== undefined && ended.rescues > 0 && { earlierAttempts: await earlierAttempts(ports, ended) }),
    })),
  );
  const end = isOldestFirst ? to : from;
  return jsonText({
    jobs: JSON.stringify(summaries),
    readTo: JSON.stringify(isoTime(position === undefined ? end : timeOf(position))),
    nextCursor: position === undefined ? undefined : JSON.stringify(cursorOf(list, position)),
  });
}

/** Returns the name of a list: its filters, with which each page must be requested. */
const listOf = ({ endpoint, job, status, code, error, text, key, worker, release }: ListJobsRequest): string =>
  `jobs ${JSON.stringify([endpoint, job, status, code, error, text, key, worker, release])}`;
