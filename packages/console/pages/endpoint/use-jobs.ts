/** Reads one page of an endpoint's jobs. The first page is refreshed, and its rows remain in place. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Client } from '../../api/client.ts';
import type { JobList } from '../../api/job-types.ts';
import { every, intervals } from '../../api/polling.ts';
import { useClient } from '../../session/session.tsx';
import type { JobStatus } from './job-actions.ts';
import { noRows, type Rows, refreshed, rowsOf } from './job-rows.ts';

export interface JobPage {
  readonly endpoint: string;
  /** Statuses of the filter; an empty list means all. */
  readonly statuses: readonly JobStatus[];
  /** Maximum number of jobs on the page. */
  readonly size: number;
  /** Where the page begins; undefined for the newest jobs. */
  readonly cursor: string | undefined;
}

export const jobsKey = (endpoint: string) => ['requests', endpoint] as const;

export function queryFor(client: Client, { endpoint, statuses, size, cursor }: JobPage) {
  const status = statuses.length > 0 ? statuses.join(',') : undefined;
  return queryOptions({
    queryKey: [...jobsKey(endpoint), status, size, cursor],
    queryFn: ({ signal }) =>
      client.json<JobList>(`/v2/${encodeURIComponent(endpoint)}/requests`, {
        query: { status, limit: size, cursor },
        signal,
      }),
  });
}

/**
 * Reads the rows of the page. Use this hook in a component whose `key` is the page, so that each page starts with its
 * own rows.
 */
export function useJobs(page: JobPage, interval: number = intervals.jobs) {
  // Only a change of these fields renders the list again. A refresh with the same jobs does not.
  const { data, error, refetch } = useQuery({
    ...queryFor(useClient(), page),
    refetchInterval: page.cursor === undefined ? every(interval) : false,
  });

  const [seen, setSeen] = useState<JobList | undefined>(undefined);
  const [shown, setShown] = useState<Rows>(noRows);
  if (data && data !== seen) {
    setSeen(data);
    setShown(refreshed(shown, data));
  }
  return { data, error, refetch, ...shown, showNewest: () => data && setShown(rowsOf(data)) };
}
