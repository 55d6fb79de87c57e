/** Reads a job repeatedly until the job and its webhook delivery have ended. */
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../api/error.ts';
import { intervalAfter, intervals } from '../api/polling.ts';
import { useClient } from '../session/session.tsx';
import { hasEnded, type Job, readJob } from './job.ts';
import { useRecent } from './use-recent.ts';

export const jobKey = (endpoint: string, id: string) => ['status', endpoint, id] as const;

/** Maximum characters of a record that is read again only to update its webhook. */
const SMALL = 200_000;

/** @returns whether the service has removed the job or never had it */
export const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

const isFinal = (job: Job | undefined) =>
  job !== undefined && hasEnded(job) && (job.webhook?.state !== 'PENDING' || job.text.length > SMALL);

/**
 * Reads the job repeatedly.
 * @param id undefined if there is no job yet
 */
export function useJob(endpoint: string, id: string | undefined) {
  const client = useClient();
  const isRecent = useRecent();
  return useQuery({
    queryKey: jobKey(endpoint, id ?? ''),
    queryFn: async ({ signal }) =>
      readJob(
        await client.text(`/v2/${encodeURIComponent(endpoint)}/status/${encodeURIComponent(id ?? '')}`, {
          query: { timeline: 'true' },
          signal,
        }),
        signal,
      ),
    enabled: id !== undefined,
    refetchInterval: (query) => {
      const { data, error } = query.state;
      if (isGone(error) || isFinal(data)) return false;
      const isMoving = isRecent({ ...data, id }) && !(data && hasEnded(data));
      return intervalAfter(query, isMoving ? intervals.runningJob : intervals.longRunningJob);
    },
    // The page keeps showing a result after the service has removed it.
    staleTime: ({ state: { data } }) => (isFinal(data) ? Number.POSITIVE_INFINITY : 0),
    refetchOnWindowFocus: ({ state: { error } }) => !isGone(error),
  });
}
