import { type AppendPorts, chunkSize, storePieces } from '../../core/jobs/append.ts';
import { type Chunk, cut } from '../../core/jobs/chunk.ts';
import { chunkBuffer, chunkWrites } from '../../core/jobs/chunk-limits.ts';
import type { RunningJob } from '../../core/jobs/job.ts';
import type { AgentLog } from './ports.ts';

/**
 * The stream of a job that the worker holds. Chunks go into a buffer in the order in which they come, and are stored from
 * there: the first at once, later ones together with those that have come since the write before (`chunkWrites`).
 */
export interface ChunkStream {
  /**
   * Puts the chunk into the buffer, as soon as there is room; one that is larger than the buffer is stored instead.
   * @throws PayloadTooLarge
   * @throws the failure of a write, if there is no room for `chunkWrites.patience`; the chunk was not taken
   */
  append(chunk: Chunk): Promise<void>;
  /**
   * How many chunks there are, once all that have come are stored.
   * @throws the failure of a write after `chunkWrites.patience`; what is in the buffer stays there, and is written again
   */
  count(): Promise<number>;
  /** Empties the buffer and stores no more: the job is no longer this worker's. */
  stop(): void;
}

const bytesOf = ({ output, metrics = '' }: Chunk): number => Buffer.byteLength(output) + Buffer.byteLength(metrics);

export function createChunkStream(ports: AppendPorts, job: RunningJob, log: Pick<AgentLog, 'error'>): ChunkStream {
  const { clock } = ports;
  const buffer: Chunk[] = [];
  let bufferedBytes = 0;
  /** Chunks with lower numbers are stored; those in the buffer follow. */
  let stored = 0;
  /** Chunks in the buffer that are being written: after a failure the same ones again. */
  let writing = 0;
  /** Items with lower numbers may be left of a large chunk that was not taken. A chunk replaces one if it is alone in its item. */
  let doubtful = 0;
  let begun = Number.NEGATIVE_INFINITY;
  let isStoring = false;
  let isStopped = false;
  let write = Promise.withResolvers<void>();
  let last: Promise<void> = Promise.resolve();

  /** Lets those go on who wait for the end of a write. */
  function ended(failure?: unknown): void {
    if (failure === undefined) write.resolve();
    else write.reject(failure);
    write = Promise.withResolvers();
    // The next write may have nobody who waits for it.
    write.promise.catch(() => undefined);
  }
  write.promise.catch(() => undefined);

  async function storeBatch(): Promise<void> {
    writing ||= stored < doubtful ? 1 : Math.min(buffer.length, chunkWrites.chunks);
    const batch = buffer.slice(0, writing);
    begun = clock.now();
    await storePieces(ports, job, stored, batch);
    if (isStopped) return;
    writing = 0;
    buffer.splice(0, batch.length);
    for (const piece of batch) bufferedBytes -= bytesOf(piece);
    stored += batch.length;
  }

  async function storeAll(): Promise<void> {
    isStoring = true;
    for (let pause = 0; buffer.length > 0; ) {
      const wait = Math.max(begun + chunkWrites.every - clock.now(), pause);
      if (wait > 0) await clock.pause(wait);
      if (isStopped) break;
      try {
        await storeBatch();
        pause = 0;
        ended();
      } catch (error) {
        log.error('Chunks could not be stored; trying again.', { error, jobId: job.id });
        pause = Math.min(Math.max(2 * pause, chunkWrites.pause.first), chunkWrites.pause.longest);
        ended(error);
      }
    }
    isStoring = false;
  }

  /**
   * Waits for writes for as long as there is a reason to, across those that fail: a container repeats a call for a few
   * seconds only, and waits for its answer for minutes.
   */
  async function patiently(isWaiting: () => boolean): Promise<void> {
    const until = clock.now() + chunkWrites.patience;
    while (isWaiting())
      await write.promise.catch((error: unknown) => {
        if (clock.now() >= until) throw error;
      });
  }

  /** Waits until the buffer has room for more bytes and chunks, or is empty. */
  async function room(bytes: number, chunks: number): Promise<void> {
    const hasRoom = () => bufferedBytes + bytes <= chunkBuffer.bytes && buffer.length + chunks <= chunkBuffer.chunks;
    await patiently(() => buffer.length > 0 && !hasRoom());
  }

  async function storeLarge(chunk: Chunk): Promise<void> {
    const pieces = cut(stored, chunk);
    doubtful = Math.max(doubtful, stored + pieces.length);
    await storePieces(ports, job, stored, pieces);
    stored += pieces.length;
  }

  async function take(chunk: Chunk, size: number): Promise<void> {
    if (isStopped) return;
    if (size > chunkBuffer.bytes) {
      await room(size, 1);
      if (!isStopped) await storeLarge(chunk);
      return;
    }
    const pieces = cut(stored + buffer.length, chunk);
    const bytes = pieces.reduce((sum, piece) => sum + bytesOf(piece), 0);
    await room(bytes, pieces.length);
    if (isStopped) return;
    buffer.push(...pieces);
    bufferedBytes += bytes;
    if (!isStoring) void storeAll();
  }

  return {
    async append(chunk) {
      const size = chunkSize(chunk);
      const taken = last.then(() => take(chunk, size));
      last = taken.catch(() => undefined);
      return taken;
    },

    async count() {
      await last;
      await patiently(() => buffer.length > 0);
      return stored;
    },

    stop() {
      isStopped = true;
      buffer.length = 0;
      bufferedBytes = 0;
      ended();
    },
  };
}
