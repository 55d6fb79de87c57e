/** Reads what the history keeps of a job: each of its ends, with the attempts before it. */
import { useQuery } from '@tanstack/react-query';
import type { EndedJob, EndedJobList } from '../api/management-types.ts';
import { intervalAfter, intervals } from '../api/polling.ts';
import { useClient } from '../session/session.tsx';
import { hasEnded, type Job } from './job.ts';

/** Pages that are read at most: each compares 2,000 jobs that ended after the submission. */
const PAGES = 10;

/** Number of reads for the row of an end, which is written some seconds after it. */
const READS = 4;

/**
 * @param job undefined if the service has removed it
 * @param isWanted whether to read the history
 */
export function useEnds(endpoint: string, id: string, job: Job | undefined, isWanted: boolean) {
  const client = useClient();
  // The history has each earlier end of a retried job, and the last one soon after the job has ended.
  const isOver = job === undefined || hasEnded(job);
  return useQuery({
    queryKey: ['ends', endpoint, id, isOver, job?.attempts],
    queryFn: async ({ signal }) => {
      let jobs: readonly EndedJob[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < PAGES; page += 1) {
        const query = { endpoint, job: id, cursor };
        const list: EndedJobList = await client.json<EndedJobList>('/v1/jobs', { query, signal });
        jobs = [...jobs, ...list.jobs];
        cursor = list.nextCursor;
        if (cursor === undefined || (jobs.at(-1)?.attempts ?? 0) >= (job?.attempts ?? Number.POSITIVE_INFINITY)) break;
      }
      return jobs;
    },
    enabled: isWanted,
    placeholderData: (before) => before,
    refetchInterval: (query) => {
      const { data, dataUpdateCount } = query.state;
      const isMissing = isOver && job !== undefined && !data?.some(({ attempts }) => attempts === job.attempts);
      return isMissing && dataUpdateCount < READS ? intervalAfter(query, intervals.endpoint) : false;
    },
    refetchOnWindowFocus: false,
  });
}
