/** Reads the chunks of a job's stream. Each request continues where the last one ended. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { intervalAfter, intervals } from '../api/polling.ts';
import { useClient } from '../session/session.tsx';
import { type ChunkText, chunksIn } from './chunks.ts';
import { hasEnded, type Job } from './job.ts';
import { useRecent } from './use-recent.ts';

export interface StreamSoFar {
  readonly chunks: readonly ChunkText[];
  /** Number of chunks that the last request returned. */
  readonly gained: number;
  /** Whether the job had ended before the last read, so that no further chunks follow. */
  readonly isComplete: boolean;
}

/** Milliseconds for which an endpoint with `streamEnvelope` waits for a chunk. */
const SHORTEST_WAIT = 1000;

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
      const before = queries.getQueryData<StreamSoFar>(queryKey)?.chunks ?? [];
      // With `from`, an endpoint with `streamEnvelope` does not mark chunks as delivered, so the client still gets
      // all of them.
      const text = await client.text(`/v2/${encodeURIComponent(endpoint)}/stream/${encodeURIComponent(job.id)}`, {
        query: { from: before.length, wait: SHORTEST_WAIT },
        signal,
      });
      const chunks = await chunksIn(text);
      return { chunks: [...before, ...chunks], gained: chunks.length, isComplete: isOver };
    },
    structuralSharing: false,
    enabled: ({ state: { data } }) =>
      !data?.isComplete && (wanted === 'all' || (wanted === 'first' && !data?.chunks.length)),
    refetchInterval: (query) => {
      const isMoving = isRecent(job) || (query.state.data?.gained ?? 0) > 0;
      return intervalAfter(query, isMoving ? intervals.runningJob : intervals.quiet);
    },
  });
}
