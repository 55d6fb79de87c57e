/** Reads the log lines of a job's attempts. Each request continues where the last one ended. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { RequestOptions } from '../api/client.ts';
import { intervalAfter, intervals } from '../api/polling.ts';
import { read } from '../reading/read.ts';
import { useClient } from '../session/session.tsx';
import { hasEnded, type LoggedJob } from './job.ts';
import { useRecent } from './use-recent.ts';
import type { Attempt } from './waterfall.ts';

export interface LogSoFar {
  /** Lines as text. */
  readonly texts: readonly string[];
  /** Number of lines that the last requests returned. */
  readonly gained: number;
  readonly workerId?: string | undefined;
  /** Where the next page of the log begins; undefined at its end. */
  readonly cursor?: string | undefined;
  /** Whether the page omits lines, because there are more than it shows. */
  readonly isCut: boolean;
}

export const PAGE = 1000;

/** Maximum number of pages per refresh. The service allows 100 calls in 10 seconds. */
const PAGES = 10;

/** Maximum number of lines that a page shows. */
const MAX_LINES = 50_000;

const empty: LogSoFar = { texts: [], gained: 0, cursor: undefined, isCut: false };

/** Reads the pages after those that are known. */
export function useLogPages(
  path: string,
  queryKey: readonly unknown[],
  query: RequestOptions['query'],
  until?: number,
) {
  const client = useClient();
  const queries = useQueryClient();
  return async ({ signal }: { readonly signal: AbortSignal }): Promise<LogSoFar> => {
    const before = queries.getQueryData<LogSoFar>(queryKey) ?? empty;
    let { texts, cursor } = before;
    let workerId: string | undefined;
    for (let page = 0; page < PAGES && texts.length < MAX_LINES; page += 1) {
      const sent = await client.text(path, { query: { limit: PAGE, ...query, cursor }, signal });
      const log = await read('logPage', sent, until, signal);
      texts = [...texts, ...log.texts];
      ({ nextCursor: cursor, workerId } = log);
      if (cursor === undefined || log.texts.length < PAGE) break;
    }
    const gained = texts.length - before.texts.length;
    return { texts, gained, workerId, cursor, isCut: texts.length >= MAX_LINES };
  };
}

/** Reads the log of the last attempt. */
export function useLogs(endpoint: string, job: LoggedJob) {
  const isOver = hasEnded(job);
  const isRecent = useRecent();
  const queryKey = ['logs', endpoint, job.id, job.attempts] as const;
  const path = `/v2/${encodeURIComponent(endpoint)}/logs/${encodeURIComponent(job.id)}`;
  return useQuery<LogSoFar>({
    queryKey,
    queryFn: useLogPages(path, queryKey, {}),
    structuralSharing: false,
    refetchInterval: (query) => {
      const { data } = query.state;
      const isDone = data && (data.isCut || (isOver && data.cursor === undefined));
      const isMoving = isRecent(job) || (data?.gained ?? 0) > 0;
      return isDone ? false : intervalAfter(query, isMoving ? intervals.logs : intervals.quiet);
    },
    refetchOnWindowFocus: ({ state: { data } }) => data?.cursor !== undefined,
  });
}

/**
 * Reads what the worker of an earlier attempt printed while it had the job. The log of a job has only its last attempt,
 * and ends with its result.
 */
export function useAttemptLog(endpoint: string, { worker, from, to }: Attempt) {
  const queryKey = ['attempt-log', endpoint, worker, from] as const;
  const path = `/v1/endpoints/${encodeURIComponent(endpoint)}/logs`;
  return useQuery<LogSoFar>({
    queryKey,
    queryFn: useLogPages(path, queryKey, { worker, since: new Date(from).toISOString() }, to),
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: (query) => {
      const { cursor, gained, isCut } = query.state.data ?? empty;
      return cursor !== undefined && gained > 0 && !isCut ? intervalAfter(query, intervals.logs) : false;
    },
  });
}
