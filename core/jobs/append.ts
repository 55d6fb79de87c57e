import { PayloadTooLarge } from '../errors.ts';
import { payloadLimits } from '../limits.ts';
import type { World } from '../world.ts';
import { type Chunk, cut } from './chunk.ts';
import type { RunningJob } from './job.ts';
import { storeChunkObject } from './payload.ts';
import { tidyAfter } from './tidy.ts';

/**
 * Appends to the stream of a job.
 *
 * Input: the job as taken, how many chunks its stream has, one more. Output: how many it has then.
 *  1. Cut the chunk into pieces if its element of `/stream` would be too large.
 *  2. Store the pieces one after the other, so that whoever reads meanwhile never sees one before those ahead of it.
 *
 * Chunks are stored under the attempt, which is one worker's alone, and a job that has ended says how many of its last
 * attempt count (`stream.ts`). So nobody need ask whether the job is still this worker's: if not, nobody sees them. A
 * call that failed is made again with the same number, and writes the same chunks again.
 * @throws PayloadTooLarge
 */
export async function append(
  world: Pick<World, 'chunks' | 'clock' | 'objects'>,
  job: RunningJob,
  number: number,
  chunk: Chunk,
): Promise<number> {
  const size = Buffer.byteLength(chunk.output);
  if (size > payloadLimits.output)
    throw new PayloadTooLarge(`The chunk has ${size} bytes; one that is sent has at most ${payloadLimits.output}.`);
  const removeAfter = tidyAfter(job.executionDeadline + job.retention);
  const pieces = cut(number, chunk);
  for (const [n, { output, ...rest }] of pieces.entries()) {
    const isItem = Buffer.byteLength(output) <= payloadLimits.item;
    const ref = isItem ? { inline: output } : await storeChunkObject(world, job, number + n, output);
    await world.chunks.write(job, job.attempt, number + n, { ...rest, output: ref }, removeAfter);
  }
  return number + pieces.length;
}
