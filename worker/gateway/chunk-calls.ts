/**
 * When a container may be asked to stop a job that streams.
 *
 * The original's SDK stops a job by cancelling its task. If that happens while the task posts a chunk, the handler's
 * generator never learns of it: it keeps its connections, and what it calls goes on computing, until the process collects
 * it. So the stop is sent when the SDK has had its answer to a chunk and waits for the handler again.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** A job without a chunk for so long most likely does not post one now. All times in milliseconds. */
const NEXT_CHUNK = 100;
/** For the SDK to read the answer, and go back to the handler. */
const ANSWER_READ = 5;
/** A handler that always has the next chunk ready leaves no such moment; then the stop follows an answer at once. */
const LONGEST_SEARCH = 300;
/** An answer to a chunk that is held back longer than this no longer holds up the stop. */
const LONGEST_WAIT = 1_000;

export interface ChunkCalls {
  /** Notes that the job's container posts a chunk, until the response is sent. */
  begin(job: string, response: ServerResponse): void;
  /** Resolves at a moment when none of the jobs posts a chunk, after `LONGEST_WAIT` at the latest. */
  between(jobs: readonly string[]): Promise<void>;
}

/** One search for such a moment. */
interface Search {
  readonly jobs: readonly string[];
  /** Chunks of the jobs whose calls have begun since the start of the search. */
  begun: number;
  /** Called when the call of such a chunk was answered. */
  answered: () => void;
}

const nothing = () => undefined;

export function createChunkCalls(): ChunkCalls {
  const open = new Map<string, number>();
  const searches = new Set<Search>();
  const ofJob = (job: string) => [...searches].filter(({ jobs }) => jobs.includes(job));

  /** Waits for an answer to a chunk of the jobs, so many milliseconds at most. */
  async function answer(search: Search, within: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, within);
    search.answered = resolve;
    await promise;
    search.answered = nothing;
    clearTimeout(timer);
  }

  async function find(search: Search): Promise<void> {
    const start = performance.now();
    const since = () => performance.now() - start;
    const isPosting = () => search.jobs.some((job) => open.has(job));
    // The moment after an answer is sure; a container that posts nothing now may begin to at any time.
    await answer(search, NEXT_CHUNK);
    while (since() < LONGEST_WAIT) {
      if (isPosting()) {
        await answer(search, LONGEST_WAIT - since());
      } else {
        if (since() > LONGEST_SEARCH) return;
        const before = search.begun;
        await delay(ANSWER_READ);
        if (search.begun === before) return;
      }
    }
  }

  return {
    begin(job, response) {
      open.set(job, (open.get(job) ?? 0) + 1);
      for (const search of ofJob(job)) search.begun += 1;
      response.once('close', () => {
        const left = (open.get(job) ?? 1) - 1;
        if (left > 0) open.set(job, left);
        else open.delete(job);
        for (const search of ofJob(job)) search.answered();
      });
    },

    async between(jobs) {
      const search: Search = { jobs, begun: 0, answered: nothing };
      searches.add(search);
      try {
        await find(search);
      } finally {
        searches.delete(search);
      }
    },
  };
}
