/** Groups the failures of an endpoint by their errors. */
import { deployed } from '../endpoints/store.ts';
import { cursorOf, positionIn } from '../requests/cursor.ts';
import { isoTime } from '../requests/time.ts';
import type { QueryValue } from '../requests/validation.ts';
import { type EndedJob, isFailure } from './ended-job.ts';
import { historyLimits } from './limits.ts';
import type { HistoryPorts } from './list-jobs.ts';
import { readEnded } from './read.ts';
import { type HistoryTimes, timesOf } from './request.ts';
import { POSITION, positionAt, timeOf } from './store.ts';

export interface FailuresRequest extends HistoryTimes {
  readonly endpoint: string;
  readonly cursor?: QueryValue | undefined;
}

/** Failures with equal codes, whose errors differ only by numbers and ids. */
export interface FailureGroup {
  readonly fingerprint: string;
  readonly code: string;
  /** Line of the newest error; absent if none of the failures has one. */
  readonly error?: string | undefined;
  readonly count: number;
  /** Ends of the first and the last failure. */
  readonly first: string;
  readonly last: string;
  /** The last job that failed. */
  readonly job: string;
  /** Workers with the most failures, at most `historyLimits.workers`, and the number of workers. */
  readonly workers: readonly { readonly worker: string; readonly count: number }[];
  readonly workerCount: number;
  /** Revisions that the workers ran, with the number of failures of each, newest first. */
  readonly releases: readonly { readonly revision: number; readonly count: number }[];
  /** API keys with the most failures, at most `historyLimits.keys`, and their number; absent if users sent all jobs. */
  readonly keys?: readonly { readonly key: string; readonly count: number }[];
  readonly keyCount?: number;
}

export interface FailureList {
  readonly failures: readonly FailureGroup[];
  /** Number of jobs that ended, also successfully, among which the failures are counted. */
  readonly ended: number;
  readonly failed: number;
  /** Time since which all jobs are counted. */
  readonly readTo: string;
  readonly nextCursor?: string;
}

/** Counts the values, omitting absent ones. */
function countsOf<Value>(values: readonly (Value | undefined)[]): { readonly value: Value; readonly count: number }[] {
  const present = values.filter((value) => value !== undefined);
  return [...Map.groupBy(present, (value) => value)].map(([value, all]) => ({ value, count: all.length }));
}

const highestFirst = (values: readonly (string | undefined)[]) =>
  countsOf(values).sort((one, other) => other.count - one.count);

/**
 * Returns the group of failures with the fingerprint.
 * @param jobs newest first, at least one
 */
function groupFrom(fingerprint: string, jobs: readonly EndedJob[]): FailureGroup {
  const times = jobs.map(({ finishedAt }) => finishedAt);
  const workers = highestFirst(jobs.map(({ worker }) => worker));
  const keys = highestFirst(jobs.map(({ key }) => key));
  const releases = countsOf(jobs.map(({ revision }) => revision)).sort((one, other) => other.value - one.value);
  return {
    fingerprint,
    code: jobs[0]?.code ?? '',
    error: jobs[0]?.error,
    count: jobs.length,
    first: isoTime(Math.min(...times)),
    last: isoTime(Math.max(...times)),
    job: jobs[0]?.id ?? '',
    workers: workers.slice(0, historyLimits.workers).map(({ value: worker, count }) => ({ worker, count })),
    workerCount: workers.length,
    releases: releases.slice(0, historyLimits.releases).map(({ value: revision, count }) => ({ revision, count })),
    ...(keys.length > 0 && {
      keys: keys.slice(0, historyLimits.keys).map(({ value: key, count }) => ({ key, count })),
      keyCount: keys.length,
    }),
  };
}

/**
 * Groups the failures of an endpoint by their errors, the most frequent first.
 *
 * Input: endpoint, times, cursor. Output: the groups among at most `historyLimits.grouped` ended jobs, the time since
 * which all jobs are counted, and a cursor if older jobs follow. Groups of several pages are added by the client.
 * @throws EndpointNotFound, InvalidRequest
 */
export async function failures(ports: HistoryPorts, request: FailuresRequest): Promise<FailureList> {
  const { from, to } = timesOf(request, ports.clock.now());
  const { id } = await deployed(ports, request.endpoint);
  const list = `failures of ${id}`;
  const cursor = request.cursor === undefined ? undefined : positionIn(list, request.cursor, POSITION);
  const { jobs, compared, position } = await readEnded(ports, {
    endpoints: [id],
    after: positionAt(from),
    before: cursor ?? positionAt(to + 1),
    isOldestFirst: false,
    matches: isFailure,
    max: historyLimits.grouped,
    read: historyLimits.grouped,
  });
  const groups = [...Map.groupBy(jobs, ({ fingerprint = '' }) => fingerprint)].map(([fingerprint, together]) =>
    groupFrom(fingerprint, together),
  );
  return {
    failures: groups.sort((one, other) => other.count - one.count),
    ended: compared,
    failed: jobs.length,
    readTo: isoTime(position === undefined ? from : timeOf(position)),
    ...(position !== undefined && { nextCursor: cursorOf(list, position) }),
  };
}
