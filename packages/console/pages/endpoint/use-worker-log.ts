/** Follows the log of an endpoint's workers. */
import { useQuery } from '@tanstack/react-query';
import { intervalAfter, intervals } from '../../api/polling.ts';
import { type LogSoFar, PAGE, useLogPages } from '../../job/use-logs.ts';

export interface WorkerLogWanted {
  readonly endpoint: string;
  /** Id of the worker; undefined for all. */
  readonly worker: string | undefined;
  readonly source: 'worker' | 'agent';
  /** Time of the first line in ISO 8601. */
  readonly since: string;
  /** Time of the last line in milliseconds since the epoch; undefined for none. */
  readonly until?: number | undefined;
  /** Whether more lines can follow. */
  readonly follows: boolean;
}

export function useWorkerLog({ endpoint, worker, source, since, until, follows }: WorkerLogWanted) {
  const queryKey = ['worker-log', endpoint, worker, source, since, until] as const;
  const path = `/v1/endpoints/${encodeURIComponent(endpoint)}/logs`;
  return useQuery<LogSoFar>({
    queryKey,
    queryFn: useLogPages(path, queryKey, { worker, source, since }, until),
    structuralSharing: false,
    refetchInterval: (query) => {
      const { data } = query.state;
      if (data && (data.isCut || (!follows && data.gained < PAGE))) return false;
      return intervalAfter(query, (data?.gained ?? 0) > 0 ? intervals.logs : intervals.quiet);
    },
  });
}
