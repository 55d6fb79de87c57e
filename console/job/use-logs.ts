/** Reads the log lines of a job. Each request continues where the last one ended. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { JobLog, LogLine } from '../api/job-types.ts';
import { intervalAfter, intervals } from '../api/polling.ts';
import { useClient } from '../session/session.tsx';
import { hasEnded, type LoggedJob } from './job.ts';
import { useRecent } from './use-recent.ts';

export interface LogSoFar {
  readonly lines: readonly LogLine[];
  /** Number of lines that the last requests returned. */
  readonly gained: number;
  readonly workerId?: string | undefined;
  /** Where the next page of the log begins; undefined at its end. */
  readonly cursor?: string | undefined;
  /** Whether the page omits lines, because there are more than it shows. */
  readonly isCut: boolean;
}

const PAGE = 1000;

/** Maximum number of pages per refresh. The service allows 100 calls in 10 seconds. */
const PAGES = 10;

/** Maximum number of lines that a page shows. */
const MOST = 50_000;

const empty: LogSoFar = { lines: [], gained: 0, isCut: false };

export function useLogs(endpoint: string, job: LoggedJob) {
  const client = useClient();
  const queries = useQueryClient();
  const isOver = hasEnded(job);
  const isRecent = useRecent();
  const queryKey = ['logs', endpoint, job.id, job.attempts] as const;
  return useQuery<LogSoFar>({
    queryKey,
    queryFn: async ({ signal }) => {
      const before = queries.getQueryData<LogSoFar>(queryKey) ?? empty;
      let { lines, cursor } = before;
      let workerId: string | undefined;
      for (let page = 0; page < PAGES && lines.length < MOST; page += 1) {
        const path = `/v2/${encodeURIComponent(endpoint)}/logs/${encodeURIComponent(job.id)}`;
        const log = await client.json<JobLog>(path, { query: { limit: PAGE, cursor }, signal });
        lines = [...lines, ...log.lines];
        ({ nextCursor: cursor, workerId } = log);
        if (cursor === undefined || log.lines.length < PAGE) break;
      }
      const gained = lines.length - before.lines.length;
      return { lines, gained, workerId, cursor, isCut: lines.length >= MOST };
    },
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
