/** The port to the store of chunks. */
import type { Chunk } from './chunk.ts';
import type { JobKey, PayloadRef } from './job.ts';

/** A chunk of a stream as it is stored: its output beside it, or in an object. */
export type StoredChunk = Omit<Chunk, 'output'> & { readonly output: PayloadRef };

/** A chunk as it is listed. */
export interface ListedChunk {
  readonly number: number;
  readonly chunk: StoredChunk;
  /** The JSON text of its element of `/stream`, where it is stored as such. */
  readonly text?: string;
}

/** What jobs stream, by attempt and number. */
export interface Chunks {
  /**
   * Stores up to `chunkWrites.chunks` chunks with the numbers from `first` on, and at most `chunkBuffer.bytes` of outputs that
   * are no objects. None becomes visible before those ahead of it. A call that failed may have stored some of them; they are
   * stored under the same numbers again.
   */
  write(
    key: JobKey,
    attempt: number,
    first: number,
    chunks: readonly StoredChunk[],
    removeAfter: number,
  ): Promise<void>;
  /** Those of the attempt with numbers from `from` to less than `before`, in order; each that was written is there. */
  list(key: JobKey, attempt: number, from: number, before: number): AsyncIterable<ListedChunk>;
}

/** Of streams that are drained, how far their chunks have been given to readers. */
export interface Drains {
  /** The number of the first chunk of the attempt that nobody was given. */
  read(key: JobKey, attempt: number): Promise<number>;
  /** Notes it, unless it is higher already, or of a later attempt. */
  note(key: JobKey, attempt: number, next: number, removeAfter: number): Promise<void>;
}
