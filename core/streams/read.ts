/** Reads the chunks of a job for clients. */
import { setImmediate } from 'node:timers/promises';
import type { Job } from '../jobs/job.ts';
import { load } from '../jobs/payload.ts';
import type { Objects, Payloads } from '../jobs/store.ts';
import { payloadLimits } from '../limits.ts';
import { elementText } from './chunk.ts';
import type { ReadChunk } from './pack.ts';
import type { Chunks, ListedChunk } from './store.ts';

export type ChunkPorts = { readonly chunks: Chunks; readonly objects: Objects; readonly payloads: Payloads };

/** Minimum number of characters of each piece of the response except the last. */
export const PIECE = 65_536;

/**
 * Returns the end of a job that has ended during an attempt, and whose agent has not stored the end with the number of
 * chunks. Returns undefined for any other job.
 */
function unreportedEnd(job: Job): number | undefined {
  if (!('finishedAt' in job) || job.status === 'COMPLETED') return undefined;
  if (job.status === 'FAILED' && job.code !== 'WORKER_LOST') return undefined;
  return job.startedAt === undefined ? undefined : job.finishedAt;
}

/**
 * Returns how many chunks of the current attempt count at most. While the attempt runs, all chunks count. After its
 * worker has reported its end, the reported number counts. If the attempt ended in any other way, the chunks count
 * that were stored before its end. A job in the queue has no current attempt.
 */
export function countOf(job: Job): number {
  if (job.status === 'IN_PROGRESS' || unreportedEnd(job) !== undefined) return Number.POSITIVE_INFINITY;
  return 'chunks' in job ? (job.chunks ?? 0) : 0;
}

/**
 * Number of characters of chunks after which a reader pauses, and number of characters that cost as much time as a chunk
 * without characters. One response of DynamoDB can contain 30,000 chunks.
 */
const PAUSE = { every: 4 * PIECE, chunk: 512 } as const;

/** Lists the chunks that count and begin with number `from`, in order. Does not load outputs in objects. */
export async function* validChunks(
  ports: Pick<ChunkPorts, 'chunks'>,
  job: Job,
  from: number,
): AsyncGenerator<ListedChunk, undefined> {
  const count = countOf(job);
  if (from >= count) return;
  const end = unreportedEnd(job) ?? Number.POSITIVE_INFINITY;
  let unpaused = 0;
  for await (const listed of ports.chunks.list(job, job.attempt, from, count)) {
    const { at = 0, output } = listed.chunk;
    // Until the agent notices the end of the job, it stores the chunks that arrive.
    if (at > end) return;
    // Loading an object is a pause.
    unpaused += PAUSE.chunk + ('inline' in output ? output.inline.length : 0);
    if (unpaused >= PAUSE.every) {
      await setImmediate();
      unpaused = 0;
    }
    yield listed;
  }
}

/** Reads the chunks that begin with number `from`, in order. */
export async function* chunksOf(ports: ChunkPorts, job: Job, from: number): AsyncGenerator<ReadChunk, undefined> {
  for await (const { number, chunk, text } of validChunks(ports, job, from)) {
    const output = await load(ports, job, chunk.output, payloadLimits.chunk);
    const { part, parts } = chunk;
    yield { number, output, part, parts, text: text ?? elementText(number, { ...chunk, output }) };
  }
}
