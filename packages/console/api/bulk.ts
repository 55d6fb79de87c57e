/** Sends the same request for many ids, ten requests a second. The user can stop the run. */
import { ApiError } from './error.ts';

/** Maximum number of ids in one run. */
export const MAX_IDS = 500;

/** Milliseconds between the starts of two requests. */
const PACE = 100;

/** Maximum number of requests that wait for a response at the same time. */
const AT_ONCE = 10;

export interface Failed {
  readonly id: string;
  readonly error: unknown;
}

export interface Progress {
  readonly total: number;
  readonly done: number;
  readonly failed: readonly Failed[];
}

interface Run {
  readonly signal: AbortSignal;
  /** Called after every response. */
  readonly onProgress: (progress: Progress) => void;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * Calls `request` for each of the first `MAX_IDS` ids. A failed request does not end the run. A throttled request (429)
 * is sent again after its `Retry-After`. While it waits, it counts toward `AT_ONCE`.
 * @returns the last progress; if the user stopped the run, it does not account for all ids
 */
export async function inBulk(
  ids: readonly string[],
  request: (id: string) => Promise<unknown>,
  { signal, onProgress, sleep }: Run,
): Promise<Progress> {
  const todo = ids.slice(0, MAX_IDS);
  const underWay = new Set<Promise<void>>();
  let progress: Progress = { total: todo.length, done: 0, failed: [] };

  async function one(id: string): Promise<void> {
    try {
      await request(id);
      progress = { ...progress, done: progress.done + 1 };
    } catch (error) {
      if (isRefused(error)) {
        todo.push(id);
        return sleep(error.retryAfter ?? AT_ONCE * PACE);
      }
      progress = { ...progress, failed: [...progress.failed, { id, error }] };
    }
    onProgress(progress);
  }

  while (!signal.aborted) {
    const id = todo.shift();
    if (id === undefined && underWay.size === 0) break;
    if (id !== undefined) {
      const run = one(id).finally(() => underWay.delete(run));
      underWay.add(run);
      await sleep(PACE);
    }
    if (id === undefined || underWay.size >= AT_ONCE) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  return progress;
}

const isRefused = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 429;

/** Counts how often each error message occurs. The most frequent message is first. */
export function groupedErrors(failed: readonly Failed[]): { readonly message: string; readonly count: number }[] {
  const messageOf = ({ id, error }: Failed) =>
    // Messages of the same refusal differ only in the job id.
    (error instanceof Error ? error.message : String(error)).replaceAll(id, 'JOB');
  return [...Map.groupBy(failed, messageOf)]
    .map(([message, those]) => ({ message, count: those.length }))
    .toSorted((a, b) => b.count - a.count);
}
