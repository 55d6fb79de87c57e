/** Reads the chunks of a job's stream. Each request continues where the last one ended. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/error.ts';
import { intervalAfter, intervals } from '../api/polling.ts';
import { read } from '../reading/read.ts';
import { useClient } from '../session/session.tsx';
import { hasEnded, type Job } from './job.ts';
import { useRecent } from './use-recent.ts';

export interface StreamSoFar {
  /** The chunks as JSON, separated by commas. */
  readonly chunks: string;
  readonly count: number;
  /** Number of chunks that the last request returned. */
  readonly gained: number;
  /** Whether the job had ended before the last read, so that no further chunks follow. */
  readonly isComplete: boolean;
}

/** Milliseconds for which an endpoint with `streamEnvelope` waits for a chunk. */
const MIN_WAIT = 1000;

const empty = { chunks: '', count: 0 } as const;

/** @param wanted which chunks to read: `first` stops as soon as the job has a chunk */
export function useStream(endpoint: string, job: Job, wanted: 'all' | 'first' | 'none' = 'all') {
  const client = useClient();
  const queries = useQueryClient();
  const isRecent = useRecent();
  const isOver = hasEnded(job);
  // A new attempt streams from the beginning.
  const queryKey = ['stream', endpoint, job.id, job.attempts] as const;
  return useQuery<StreamSoFar>({
    queryKey,
    queryFn: async ({ signal }) => {
      const before = queries.getQueryData<StreamSoFar>(queryKey) ?? empty;
      // With `from`, an endpoint with `streamEnvelope` does not mark chunks as delivered, so the client still gets
      // all of them.
      const text = await client.text(`/v2/${encodeURIComponent(endpoint)}/stream/${encodeURIComponent(job.id)}`, {
        query: { from: before.count, wait: MIN_WAIT },
        signal,
      });
      const { error, count, start, end } = await read('chunks', text, undefined, signal);
      // The service failed after it had sent the response's status.
      if (error !== undefined) throw new ApiError(error, { status: 500 });
      return {
        chunks: [before.chunks, text.slice(start, end)].filter((chunks) => chunks !== '').join(','),
        count: before.count + count,
        gained: count,
        isComplete: isOver,
      };
    },
    structuralSharing: false,
    enabled: ({ state: { data } }) => !data?.isComplete && (wanted === 'all' || (wanted === 'first' && !data?.count)),
    refetchInterval: (query) => {
      const isMoving = isRecent(job) || (query.state.data?.gained ?? 0) > 0;
      return intervalAfter(query, isMoving ? intervals.runningJob : intervals.quiet);
    },
  });
}
