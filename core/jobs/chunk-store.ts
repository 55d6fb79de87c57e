/** How the chunks that a job streams are stored, and how many at a time. */
import { SECOND } from '../limits.ts';
import type { Chunk } from './chunk.ts';
import type { JobKey, PayloadRef } from './job.ts';

/**
 * An agent answers `job-stream` when it has the chunk in its buffer. The buffer of a job holds `bytes` of JSON and `chunks`
 * at most; chunks wait for room in it, and one of more than `bytes` is answered when it is stored. So a worker with
 * `MOST_AT_ONCE` jobs holds 25 MB of chunks that are answered and not stored.
 */
export const chunkBuffer = { bytes: 256 * 1024, chunks: 250 } as const;

/**
 * The chunks in the buffer of a job are stored up to `batch` in a write, the most that DynamoDB takes. Two writes of a job
 * begin at least `every` ms apart. After a write that failed the agent pauses for `pause.first`, and for ever longer up to
 * `pause.longest`.
 */
export const chunkWrites = { batch: 25, every: 50, pause: { first: 100, longest: 2 * SECOND } } as const;

/** A chunk of a stream as it is stored: its output beside it, or in an object. */
export type StoredChunk = Omit<Chunk, 'output'> & { readonly output: PayloadRef };

interface NumberedChunk {
  readonly number: number;
  readonly chunk: StoredChunk;
}

/** What jobs stream, by attempt and number. */
export interface Chunks {
  /**
   * Stores up to `chunkWrites.batch` chunks with the numbers from `first` on. They become visible in any order. A call that
   * failed may have stored some of them; the same call stores the same chunks again.
   */
  write(
    key: JobKey,
    attempt: number,
    first: number,
    chunks: readonly StoredChunk[],
    removeAfter: number,
  ): Promise<void>;
  /**
   * Those of the attempt with numbers from `from` to less than `before`, in order; each that was written is there. Without
   * a bound, for an attempt that runs, the list ends before the first number that is not stored yet.
   * @param before `Number.POSITIVE_INFINITY` for no bound
   */
  list(key: JobKey, attempt: number, from: number, before: number): AsyncIterable<NumberedChunk>;
}

/** Of streams that are drained, how far their chunks have been given to readers. */
export interface Drains {
  /** The number of the first chunk of the attempt that nobody was given. */
  read(key: JobKey, attempt: number): Promise<number>;
  /** Notes it, unless it is higher already, or of a later attempt. */
  note(key: JobKey, attempt: number, next: number, removeAfter: number): Promise<void>;
}
