/**
 * Finds the moment at which a container may be asked to stop a job that streams.
 *
 * RunPod's SDK stops a job by cancelling its task. If the task is posting a chunk at that moment, the handler's
 * generator is not cancelled. It keeps its connections, and the servers that it calls continue to compute, until
 * the process collects the generator. So the stop is sent when the SDK has the answer to a chunk and waits for
 * the handler again.
 */
import type { ServerResponse } from 'node:http';
import { endsWithin, systemClock } from '../../core/clock.ts';

/**
 * A container that has posted no chunk for this time is probably not posting one now. All times are in
 * milliseconds.
 */
const NEXT_CHUNK = 100;
/**
 * Time to look for a suitable moment. If a handler always has the next chunk ready, there is no such moment, and
 * the stop directly follows an answer.
 */
const MAX_SEARCH = 400;
/** An answer to a chunk that takes longer than this no longer delays the stop. */
const MAX_WAIT = 1_000;

export interface ChunkCalls {
  /** Counts a call that posts a chunk of the job, until its response is sent. */
  begin(job: string, response: ServerResponse): void;
  /** Resolves at a moment when no chunk of these jobs is being posted, after `MAX_WAIT` at the latest. */
  between(jobs: readonly string[]): Promise<void>;
}

type Event = 'begun' | 'answered';

/** One wait for a moment when no chunk of the jobs is being posted. */
interface Search {
  readonly jobs: readonly string[];
  /** Number of calls with chunks of the jobs since the start of the wait. */
  begun: number;
  /** Called when a call with a chunk begins or is answered. */
  happened: (event: Event) => void;
}

const nothing = () => undefined;

export function createChunkCalls(): ChunkCalls {
  const open = new Map<string, number>();
  const searches = new Set<Search>();
  const ofJob = (job: string) => [...searches].filter(({ jobs }) => jobs.includes(job));

  /**
   * Waits for the event for up to `within` ms.
   * @returns how long the wait took, or undefined if the event did not happen
   */
  async function next(search: Search, event: Event, within: number): Promise<number | undefined> {
    const { promise: took, resolve } = Promise.withResolvers<number>();
    const start = performance.now();
    search.happened = (happened) => happened === event && resolve(performance.now() - start);
    const hasHappened = await endsWithin(within, took);
    search.happened = nothing;
    return hasHappened ? took : undefined;
  }

  /** Waits until the SDK waits for its handler: it has read the answer and is not yet posting the next chunk. */
  async function find(search: Search): Promise<void> {
    const start = performance.now();
    const left = () => MAX_WAIT - (performance.now() - start);
    const isPosting = () => search.jobs.some((job) => open.has(job));
    while (left() > 0) {
      const answered = await next(search, 'answered', isPosting() ? left() : NEXT_CHUNK);
      if (answered === undefined && !isPosting()) return;
      const gap = await next(search, 'begun', NEXT_CHUNK);
      if (gap === undefined) return;
      await next(search, 'answered', left());
      const before = search.begun;
      const isLate = MAX_WAIT - left() > MAX_SEARCH;
      if (!isLate) await systemClock.pause(gap / 2);
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
