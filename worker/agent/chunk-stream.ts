import type { RunningJob } from '../../core/jobs/job.ts';
import { type AppendPorts, chunkSize, storePieces } from '../../core/streams/append.ts';
import { type Chunk, cut } from '../../core/streams/chunk.ts';
import { chunkBuffer, chunkWrites } from '../../core/streams/store.ts';
import type { AgentLog } from './ports.ts';

/**
 * The stream of a job that the worker holds. It buffers chunks in the order in which they arrive, and stores them
 * from the buffer. The first chunk is stored immediately. Chunks that arrive during a write are stored together
 * by the next write (`chunkWrites`).
 */
export interface ChunkStream {
  /**
   * Puts the chunk into the buffer as soon as there is room. Stores a chunk that is larger than the buffer directly.
   * @throws PayloadTooLarge
   * @throws the failure of a write, if a large chunk cannot be stored or there is no room within
   * `chunkWrites.patience`; the chunk is not in the buffer
   */
  append(chunk: Chunk): Promise<void>;
  /**
   * Waits until all chunks that have arrived are stored, and returns their number.
   * @throws the failure of a write after `chunkWrites.patience`; the chunks stay in the buffer for another attempt
   */
  count(): Promise<number>;
  /** Returns the number of chunks that `append` has accepted. A large chunk is stored as several chunks. */
  appended(): number;
  /** Empties the buffer and stores no more chunks: the job is no longer this worker's. */
  stop(): void;
}

const bytesOf = ({ output, metrics = '' }: Chunk): number => Buffer.byteLength(output) + Buffer.byteLength(metrics);

export function createChunkStream(ports: AppendPorts, job: RunningJob, log: Pick<AgentLog, 'error'>): ChunkStream {
  const { clock } = ports;
  const buffer: Chunk[] = [];
  let bufferedBytes = 0;
  /** Number of stored chunks, which is also the number of the first chunk that is not stored. */
  let stored = 0;
  /** Number of buffered chunks that are being written. A retry writes the same chunks. */
  let writing = 0;
  /**
   * Items with numbers below this may remain from a large chunk that was not accepted. Chunks with these numbers
   * are written one by one, because only a chunk that has an item to itself replaces an item.
   */
  let doubtful = 0;
  let begun = Number.NEGATIVE_INFINITY;
  let isStoring = false;
  let isStopped = false;
  let appended = 0;
  let write = Promise.withResolvers<void>();
  let last: Promise<void> = Promise.resolve();

  /** Resolves or rejects the promise of the callers that wait for the end of a write. */
  function ended(failure?: unknown): void {
    if (failure === undefined) write.resolve();
    else write.reject(failure);
    write = Promise.withResolvers();
    // The next write can fail while no caller waits for it.
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
        log.error('Chunks could not be stored; retrying.', { error, jobId: job.id });
        pause = Math.min(Math.max(2 * pause, chunkWrites.pause.first), chunkWrites.pause.max);
        ended(error);
      }
    }
    isStoring = false;
  }

  /**
   * Waits for writes while `isWaiting` returns true. Throws the failure of a write only after
   * `chunkWrites.patience`, because a container retries a call for only a few seconds, but waits minutes for its
   * response.
   */
  async function patiently(isWaiting: () => boolean): Promise<void> {
    const until = clock.now() + chunkWrites.patience;
    while (isWaiting())
      await write.promise.catch((error: unknown) => {
        if (clock.now() >= until) throw error;
      });
  }

  /** Waits until the buffer has room for this many more bytes and chunks, or is empty. */
  async function waitForRoom(bytes: number, chunks: number): Promise<void> {
    const hasRoom = () => bufferedBytes + bytes <= chunkBuffer.bytes && buffer.length + chunks <= chunkBuffer.chunks;
    await patiently(() => buffer.length > 0 && !hasRoom());
  }

  async function storeLarge(chunk: Chunk): Promise<void> {
    const pieces = await cut(stored, chunk);
    doubtful = Math.max(doubtful, stored + pieces.length);
    await storePieces(ports, job, stored, pieces);
    stored += pieces.length;
  }

  async function take(chunk: Chunk, size: number): Promise<void> {
    if (isStopped) return;
    if (size > chunkBuffer.bytes) {
      await waitForRoom(size, 1);
      if (!isStopped) await storeLarge(chunk);
      return;
    }
    const pieces = await cut(stored + buffer.length, chunk);
    const bytes = pieces.reduce((sum, piece) => sum + bytesOf(piece), 0);
    await waitForRoom(bytes, pieces.length);
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
      await taken;
      appended += 1;
    },

    appended: () => appended,

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
