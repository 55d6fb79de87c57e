import type { Clock } from '../clock.ts';
import { removeAfterEnd } from '../jobs/ending.ts';
import type { RunningJob } from '../jobs/job.ts';
import { storeChunkObject } from '../jobs/payload.ts';
import type { Objects } from '../jobs/store.ts';
import { payloadLimits } from '../limits.ts';
import { PayloadTooLarge } from '../requests/errors.ts';
import { type Chunk, cut } from './chunk.ts';
import { type Chunks, chunkWrites, type StoredChunk } from './store.ts';

export type AppendPorts = { readonly chunks: Chunks; readonly clock: Clock; readonly objects: Objects };

/**
 * Returns the bytes of the chunk's output.
 * @throws PayloadTooLarge
 */
export function chunkSize({ output }: Chunk): number {
  const size = Buffer.byteLength(output);
  if (size <= payloadLimits.output) return size;
  throw new PayloadTooLarge(`The chunk has ${size} bytes; at most ${payloadLimits.output} are allowed.`);
}

async function stored(ports: AppendPorts, job: RunningJob, number: number, chunk: Chunk): Promise<StoredChunk> {
  const { output, ...rest } = chunk;
  const isItem = Buffer.byteLength(output) <= payloadLimits.item;
  const ref = isItem ? { inline: output } : await storeChunkObject(ports, job, number, output);
  return { ...rest, output: ref, at: ports.clock.now() };
}

/**
 * Stores pieces of chunks, numbered from `first`. Each piece fits into an element of `/stream`.
 *
 *  1. Store pieces that are too large for an item as objects.
 *  2. Store up to `chunkWrites.chunks` pieces per write. Writes are sequential, so that no reader sees a chunk
 *     before its predecessors.
 *
 * Chunks are stored under the attempt, which belongs to one worker, and with the time. An ended job contains its
 * number of valid chunks, or the time of its end (`read.ts`). Readers therefore never see chunks of a worker that has
 * lost the job, and this use-case does not have to check that. A failed call is repeated with the same numbers and writes the same chunks again.
 */
export async function storePieces(
  ports: AppendPorts,
  job: RunningJob,
  first: number,
  pieces: readonly Chunk[],
): Promise<void> {
  const removeAfter = removeAfterEnd(job.executionDeadline + job.retention);
  for (let done = 0; done < pieces.length; done += chunkWrites.chunks) {
    const batch: StoredChunk[] = [];
    for (const piece of pieces.slice(done, done + chunkWrites.chunks))
      batch.push(await stored(ports, job, first + done + batch.length, piece));
    await ports.chunks.write(job, job.attempt, first + done, batch, removeAfter);
  }
}

/**
 * Appends a chunk to the stream of a job.
 *
 * Input: the job as taken, the number of chunks of its stream, a chunk. Output: the new number of chunks. The
 * chunk is split into pieces if its element of `/stream` would be too large.
 * @throws PayloadTooLarge
 */
export async function append(ports: AppendPorts, job: RunningJob, number: number, chunk: Chunk): Promise<number> {
  chunkSize(chunk);
  const pieces = await cut(number, chunk);
  await storePieces(ports, job, number, pieces);
  return number + pieces.length;
}
