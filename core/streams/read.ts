/** What a job has streamed, as clients are shown it. */
import type { Job } from '../jobs/job.ts';
import { load } from '../jobs/payload.ts';
import type { Objects, Payloads } from '../jobs/store.ts';
import { elementText } from './chunk.ts';
import type { ReadChunk } from './pack.ts';
import type { Chunks } from './store.ts';

export type ChunkPorts = { readonly chunks: Chunks; readonly objects: Objects; readonly payloads: Payloads };

/** Characters that are sent at once, if there are as many. */
export const PIECE = 65_536;

/**
 * How many chunks of the present attempt count. While it runs all do, and when its worker has reported its end those of
 * which it was told. Of an attempt that ended in another way nobody knows which chunks came in time: they go with it,
 * as its output does.
 */
export function countOf(job: Job): number {
  if (job.status === 'IN_PROGRESS') return Number.POSITIVE_INFINITY;
  return 'chunks' in job ? (job.chunks ?? 0) : 0;
}

/** The chunks from number `from` on, in order. */
export async function* chunksOf(ports: ChunkPorts, job: Job, from: number): AsyncGenerator<ReadChunk, undefined> {
  const count = countOf(job);
  if (from >= count) return;
  for await (const { number, chunk, text } of ports.chunks.list(job, job.attempt, from, count)) {
    const output = await load(ports, job, chunk.output);
    const { part, parts } = chunk;
    yield { number, output, part, parts, text: text ?? elementText(number, { ...chunk, output }) };
  }
}
