/** Reads ended jobs of several endpoints in the order of their ends, a bounded number at a time. */
import pLimit from 'p-limit';
import type { EndedJob } from './ended-job.ts';
import { historyLimits } from './limits.ts';
import { type HistoryPosition, type HistoryRange, type JobHistory, positionOf } from './store.ts';

/** Endpoints that are read at the same time. */
const READ_AT_ONCE = 10;

/** Ended jobs to read, without the limit of each read. */
export interface HistoryQuery extends Omit<HistoryRange, 'endpoint' | 'max'> {
  readonly endpoints: readonly string[];
  readonly matches: (job: EndedJob) => boolean;
  /** Maximum number of jobs that match. */
  readonly max: number;
  /** Maximum number of jobs that are read, of all endpoints together. */
  readonly read: number;
}

export interface FoundJobs {
  /** Jobs that match, in the order of the query. */
  readonly jobs: readonly EndedJob[];
  /** Number of jobs that were compared. */
  readonly compared: number;
  /** Position up to which all jobs were read; absent if all of the query were. */
  readonly position?: HistoryPosition;
}

/**
 * Reads the jobs of a query until `max` match or `read` are read. Of each endpoint, it reads an equal part, and returns
 * only jobs up to the position that it has reached in all of them.
 */
export async function readEnded(
  { jobHistory }: { readonly jobHistory: JobHistory },
  { endpoints, matches, max, read, ...range }: HistoryQuery,
): Promise<FoundJobs> {
  const share = Math.max(historyLimits.readOfEach, Math.floor(read / Math.max(1, endpoints.length)));
  const parts = await pLimit(READ_AT_ONCE).map(endpoints, (endpoint) =>
    jobHistory.read({ ...range, endpoint, max: share }),
  );
  const order = (one: HistoryPosition, other: HistoryPosition) =>
    (one < other ? -1 : Number(one > other)) * (range.isOldestFirst ? 1 : -1);
  const [reached] = parts.flatMap((part) => part.reached ?? []).sort(order);
  const compared = parts
    .flatMap(({ rows }) => rows)
    .filter((job) => reached === undefined || order(positionOf(job), reached) <= 0)
    .sort((one, other) => order(positionOf(one), positionOf(other)));
  const found = compared.filter(matches);
  const jobs = found.slice(0, max);
  const last = jobs.at(-1);
  const position = found.length > max && last ? positionOf(last) : reached;
  return { jobs, compared: compared.length, ...(position !== undefined && { position }) };
}
