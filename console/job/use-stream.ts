/** What a job streams, read from where the last request ended. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { intervalAfter, intervals } from '../api/polling.ts';
import { useClient } from '../session/session.tsx';
import { type ChunkText, chunksIn } from './chunks.ts';
import { hasEnded, type Job } from './job.ts';

export interface StreamSoFar {
  readonly chunks: readonly ChunkText[];
  /** Whether the job had ended before they were read: no more come. */
  readonly isComplete: boolean;
}

/** An endpoint with `streamEnvelope` holds the call for so long if there is no chunk, in milliseconds. */
const SHORTEST_WAIT = 1000;

export function useStream(endpoint: string, job: Job) {
  const client = useClient();
  const queries = useQueryClient();
  const isOver = hasEnded(job);
  // A new attempt streams from the beginning.
  const queryKey = ['stream', endpoint, job.id, job.attempts] as const;
  return useQuery<StreamSoFar>({
    queryKey,
    queryFn: async ({ signal }) => {
      const before = queries.getQueryData<StreamSoFar>(queryKey)?.chunks ?? [];
      // With `from`, an endpoint with `streamEnvelope` counts no chunk as given: its client still gets all.
      const text = await client.text(`/v2/${encodeURIComponent(endpoint)}/stream/${encodeURIComponent(job.id)}`, {
        query: { from: before.length, wait: SHORTEST_WAIT },
        signal,
      });
      return { chunks: [...before, ...chunksIn(text)], isComplete: isOver };
    },
    structuralSharing: false,
    enabled: (query) => !query.state.data?.isComplete,
    refetchInterval: (query) => intervalAfter(query, intervals.runningJob),
  });
}
