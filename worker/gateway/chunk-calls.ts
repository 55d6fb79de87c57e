/**
 * Finds the moment at which a container may be asked to stop a job that streams.
 *
 * RunPod's SDK stops a job by cancelling its task. If the task is just posting a chunk, the handler's generator gets no
 * cancellation: it keeps its connections, and the servers that it calls compute on, until the process collects it. So
 * the stop is sent when the SDK has the answer to a chunk and waits for the handler again.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** A container without a new chunk for so long is probably not posting one now. All times in milliseconds. */
const NEXT_CHUNK = 100;
/** A handler that always has the next chunk ready leaves no such moment; the stop then follows an answer at once. */
const LONGEST_SEARCH = 400;
/** An answer to a chunk that takes longer no longer delays the stop. */
const LONGEST_WAIT = 1_000;

export interface ChunkCalls {
  /** Counts a call that posts a chunk of the job, until its response is sent. */
  begin(job: string, response: ServerResponse): void;
  /** Resolves at a moment when none of the jobs posts a chunk, after `LONGEST_WAIT` at the latest. */
  between(jobs: readonly string[]): Promise<void>;
}

type Event = 'begun' | 'answered';

/** One search for such a moment. */
interface Search {
  readonly jobs: readonly string[];
  /** Number of calls with chunks of the jobs that have begun since the start of the search. */
  begun: number;
  /** Called when such a call begins or is answered. */
  happened: (event: Event) => void;
}

const nothing = () => undefined;

export function createChunkCalls(): ChunkCalls {
  const open = new Map<string, number>();
  const searches = new Set<Search>();
  const ofJob = (job: string) => [...searches].filter(({ jobs }) => jobs.includes(job));

  /** Waits for the event for up to `within` ms. @returns how long it took; undefined if it did not happen */
  async function next(search: Search, event: Event, within: number): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const start = performance.now();
    const timer = setTimeout(() => resolve(undefined), within);
    search.happened = (happened) => happened === event && resolve(performance.now() - start);
    const took = await promise;
    search.happened = nothing;
    clearTimeout(timer);
    return took;
  }

  /** Waits until the SDK waits for its handler: it has read the answer, and does not post the next chunk yet. */
  async function find(search: Search): Promise<void> {
    const start = performance.now();
    const left = () => LONGEST_WAIT - (performance.now() - start);
    const isPosting = () => search.jobs.some((job) => open.has(job));
    while (left() > 0) {
      const answered = await next(search, 'answered', isPosting() ? left() : NEXT_CHUNK);
      if (answered === undefined && !isPosting()) return;
      const gap = await next(search, 'begun', NEXT_CHUNK);
      if (gap === undefined) return;
      await next(search, 'answered', left());
      const before = search.begun;
      const isLate = LONGEST_WAIT - left() > LONGEST_SEARCH;
      if (!isLate) await delay(gap / 2);
      if (search.begun === before && !isPosting()) return;
    }
  }

  return {
    begin(job, response) {
      open.set(job, (open.get(job) ?? 0) + 1);
      for (const search of ofJob(job)) {
        search.begun += 1;
        search.happened('begun');
      }
      response.once('close', () => {
        const left = (open.get(job) ?? 1) - 1;
        if (left > 0) open.set(job, left);
        else open.delete(job);
        for (const search of ofJob(job)) search.happened('answered');
      });
    },

    async between(jobs) {
      const search: Search = { jobs, begun: 0, happened: nothing };
      searches.add(search);
      try {
        await find(search);
      } finally {
        searches.delete(search);
      }
    },
  };
}
