/** A job as it is, read again until it has ended. */
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError } from '../api/error.ts';
import { intervalAfter, intervals } from '../api/polling.ts';
import { useClient } from '../session/session.tsx';
import { hasEnded, type Job, readJob } from './job.ts';

export const jobKey = (endpoint: string, id: string) => ['status', endpoint, id] as const;

/** Milliseconds after which a job that still runs is a long one. */
const LONG = 30_000;

/** Larger records are not read again for the sake of their webhook. */
const SMALL = 200_000;

/** Whether the service has removed the job, or never had it. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

const isSettled = (job: Job | undefined) =>
  job !== undefined && hasEnded(job) && (job.webhook?.state !== 'PENDING' || job.text.length > SMALL);

/** @param id undefined while there is no job */
export function useJob(endpoint: string, id: string | undefined) {
  const client = useClient();
  const openedAt = useRef(Date.now());
  return useQuery({
    queryKey: jobKey(endpoint, id ?? ''),
    queryFn: async ({ signal }) =>
      readJob(
        await client.text(`/v2/${encodeURIComponent(endpoint)}/status/${encodeURIComponent(id ?? '')}`, { signal }),
      ),
    enabled: id !== undefined,
    refetchInterval: (query) => {
      const { data, error } = query.state;
      if (isGone(error) || isSettled(data)) return false;
      const isNew = Date.now() - openedAt.current < LONG && !(data && hasEnded(data));
      return intervalAfter(query, isNew ? intervals.runningJob : intervals.longRunningJob);
    },
    // A result that is shown stays, although the service removes it later.
    staleTime: ({ state: { data } }) => (isSettled(data) ? Number.POSITIVE_INFINITY : 0),
    refetchOnWindowFocus: ({ state: { error } }) => !isGone(error),
  });
}
