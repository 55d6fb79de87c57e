/**
 * Finds why an endpoint's jobs wait if its counts do not show the reason. The service reports a reason for each
 * job.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { InQueueJob, JobList, JobRecord } from '../api/job-types.ts';
import type { Endpoint } from '../api/management-types.ts';
import { every } from '../api/polling.ts';
import { useClient } from '../session/session.tsx';
import { isCondition } from './wait-reasons.ts';

/** Two calls a minute. With the calls for the endpoint and its jobs, a page sends at most 20 calls a minute. */
const INTERVAL = 60_000;

export type Wait = Pick<InQueueJob, 'waitReason' | 'waitDetail'>;

/**
 * Describes whether workers are ready or starting, because the reason can change with this state. The numbers of
 * workers change too often to be included.
 */
const pictureOf = ({ health: { workers } }: Endpoint) => `${workers.ready > 0} ${workers.initializing > 0}`;

/**
 * @returns the reason of the newest waiting job; undefined if no job waits or if the endpoint reports a condition
 */
export function useWaitReason(endpoint: Endpoint | undefined): Wait | undefined {
  const client = useClient();
  const isAsked =
    endpoint !== undefined && endpoint.health.jobs.inQueue > 0 && !isCondition(endpoint.health.waitReason);
  const path = `/v2/${encodeURIComponent(endpoint?.id ?? '')}`;
  const { data } = useQuery({
    queryKey: ['status', endpoint?.id, 'newest-waiting', endpoint && pictureOf(endpoint)],
    queryFn: async ({ signal }): Promise<Wait | null> => {
      const { requests } = await client.json<JobList>(`${path}/requests`, {
        query: { status: 'IN_QUEUE', limit: 1 },
        signal,
      });
      const [newest] = requests;
      if (!newest) return null;
      const job = await client.json<JobRecord>(`${path}/status/${newest.id}`, { signal });
      return job.status === 'IN_QUEUE' ? job : null;
    },
    enabled: isAsked,
    refetchInterval: every(INTERVAL),
    placeholderData: keepPreviousData,
  });
  return isAsked ? (data ?? undefined) : undefined;
}
