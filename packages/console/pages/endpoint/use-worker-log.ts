/** Follows the log of an endpoint's workers. Each request continues where the last one ended. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { intervalAfter, intervals } from '../../api/polling.ts';
import { read } from '../../reading/read.ts';
import { useClient } from '../../session/session.tsx';

export interface WorkerLogWanted {
  readonly endpoint: string;
  /** Id of the worker; undefined for all. */
  readonly worker: string | undefined;
  readonly source: 'worker' | 'agent';
  /** Time of the first line in ISO 8601. */
  readonly since: string;
  /** Whether more lines can follow. */
  readonly follows: boolean;
}

interface LogSoFar {
  readonly texts: readonly string[];
  readonly gained: number;
  readonly cursor?: string | undefined;
  /** Whether the page omits lines, because there are more than it shows. */
  readonly isCut: boolean;
}

const PAGE = 1000;
/** Maximum number of pages per refresh. */
const PAGES = 10;
const MAX_LINES = 50_000;

export function useWorkerLog({ endpoint, worker, source, since, follows }: WorkerLogWanted) {
  const client = useClient();
  const queries = useQueryClient();
  const queryKey = ['worker-log', endpoint, worker, source, since] as const;
  return useQuery<LogSoFar>({
    queryKey,
    queryFn: async ({ signal }) => {
      const before = queries.getQueryData<LogSoFar>(queryKey) ?? { texts: [], gained: 0, isCut: false };
      let { texts, cursor } = before;
      for (let page = 0; page < PAGES && texts.length < MAX_LINES; page += 1) {
        const path = `/v1/endpoints/${encodeURIComponent(endpoint)}/logs`;
        const sent = await client.text(path, { query: { worker, source, since, limit: PAGE, cursor }, signal });
        const log = await read('logPage', sent, undefined, signal);
        texts = [...texts, ...log.texts];
        cursor = log.nextCursor;
        if (cursor === undefined || log.texts.length < PAGE) break;
      }
      return { texts, gained: texts.length - before.texts.length, cursor, isCut: texts.length >= MAX_LINES };
    },
    structuralSharing: false,
    refetchInterval: (query) => {
      const { data } = query.state;
      if (data?.isCut || (data && !follows && data.gained < PAGE)) return false;
      return intervalAfter(query, (data?.gained ?? 0) > 0 ? intervals.logs : intervals.quiet);
    },
  });
}
