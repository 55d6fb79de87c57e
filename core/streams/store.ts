/** The ports to the store of chunks. */

import type { JobKey, PayloadRef } from '../jobs/job.ts';
import { MINUTE, SECOND } from '../limits.ts';
import type { Chunk } from './chunk.ts';

/** A stored chunk: its output is inline, or in an object. */
export type StoredChunk = Omit<Chunk, 'output'> & { readonly output: PayloadRef };

/** A chunk in a list. */
export interface ListedChunk {
  readonly number: number;
  readonly chunk: StoredChunk;
  /** The JSON text of its element of `/stream`, if it is stored. */
  readonly text?: string;
}

/** The chunks of jobs, by attempt and number. */
export interface Chunks {
  /**
   * Stores up to `chunkWrites.chunks` chunks with the numbers from `first` on, with at most `chunkBuffer.bytes` of
   * inline outputs. No chunk becomes visible before those ahead of it. A failed call may have stored some of them; a
   * repeated call stores them under the same numbers.
   */
  write(
    key: JobKey,
    attempt: number,
    first: number,
    chunks: readonly StoredChunk[],
    removeAfter: number,
  ): Promise<void>;
  /** Lists the chunks of the attempt with numbers from `from` to less than `before`, in order, strongly consistent. */
  list(key: JobKey, attempt: number, from: number, before: number): AsyncIterable<ListedChunk>;
}

/** The positions up to which readers of the envelope have got the chunks of a stream. */
export interface Drains {
  /** Returns the number of the first chunk of the attempt that no reader has got. */
  read(key: JobKey, attempt: number): Promise<number>;
  /** Stores that number, unless the stored one is higher or of a later attempt. */
  set(key: JobKey, attempt: number, next: number, removeAfter: number): Promise<void>;
}

/**
 * Numbers of streams, on the way from the container to the store. Durations are milliseconds, sizes are bytes.
 *
 * An agent answers `job-stream` when the chunk is in its buffer. The buffer of a job holds at most `bytes` of JSON and
 * `chunks` chunks; chunks wait for room in it, and one of more than `bytes` is answered when it is stored. So a worker
 * with `MOST_AT_ONCE` jobs holds 25 MB of chunks that are answered and not stored.
 */
export const chunkBuffer = { bytes: 256 * 1024, chunks: 250 } as const;
/**
 * The chunks in the buffer of a job are stored up to `chunks` in a write. Two writes of a job begin at least `every` ms
 * apart. After a failed write the agent pauses for `pause.first`, then for longer each time, up to `pause.longest`. A
 * call of the container that waits for writes fails when they have failed for `patience`.
 */
export const chunkWrites = {
  chunks: 100,
  every: 50,
  pause: { first: 100, longest: 2 * SECOND },
  patience: MINUTE,
} as const;
