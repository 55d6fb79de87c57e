/** Ports that store the chunks of jobs and the positions of their readers. */

import type { JobKey, PayloadRef } from '../jobs/job.ts';
import { MINUTE, SECOND } from '../limits.ts';
import type { Chunk } from './chunk.ts';

/** A stored chunk, whose output is inline or in an object. */
export type StoredChunk = Omit<Chunk, 'output'> & { readonly output: PayloadRef };

/** A chunk in a list. */
export interface ListedChunk {
  readonly number: number;
  readonly chunk: StoredChunk;
  /** JSON text of the chunk's element of `/stream`, if stored. */
  readonly text?: string;
}

/** The chunks of jobs, by attempt and number. */
export interface Chunks {
  /**
   * Stores up to `chunkWrites.chunks` chunks, numbered from `first`, with at most `chunkBuffer.bytes` of inline
   * outputs. No chunk becomes visible before its predecessors. A failed call might have stored some of the chunks;
   * a repeated call stores them under the same numbers.
   */
  write(
    key: JobKey,
    attempt: number,
    first: number,
    chunks: readonly StoredChunk[],
    removeAfter: number,
  ): Promise<void>;
  /**
   * Lists the chunks of the attempt with numbers from `from` (inclusive) to `before` (exclusive), in order,
   * strongly consistent.
   */
  list(key: JobKey, attempt: number, from: number, before: number): AsyncIterable<ListedChunk>;
}

/** Positions of streams: the number of chunks that were returned in the envelope. */
export interface Drains {
  /** Returns the number of the first chunk of the attempt that was not returned to any reader. */
  read(key: JobKey, attempt: number): Promise<number>;
  /** Stores the position, unless the stored position is higher or of a later attempt. */
  set(key: JobKey, attempt: number, next: number, removeAfter: number): Promise<void>;
}

/**
 * Limits of streams between the container and the store. Durations are in milliseconds, sizes in bytes.
 *
 * An agent acknowledges `job-stream` when the chunk is in its buffer. The buffer of a job holds at most `bytes` of
 * JSON and `chunks` chunks. Chunks wait for room in the buffer, and a chunk of more than `bytes` is acknowledged
 * when it is stored. A worker with `MAX_CONCURRENCY` jobs therefore holds at most 25 MB of acknowledged chunks that
 * are not stored.
 */
export const chunkBuffer = { bytes: 256 * 1024, chunks: 250 } as const;
/**
 * A write stores up to `chunks` chunks of a job's buffer. Two writes of a job begin at least `every` ms apart.
 * After a failed write, the agent pauses for `pause.first`, then for increasing times up to `pause.max`. A
 * call of the container that waits for writes fails when they have failed for `patience`.
 */
export const chunkWrites = {
  chunks: 100,
  every: 50,
  pause: { first: 100, max: 2 * SECOND },
  patience: MINUTE,
} as const;
