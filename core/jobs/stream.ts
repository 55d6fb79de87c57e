import * as z from 'zod/mini';
import { jsonText } from '../json.ts';
import { parseQueryNumber, type QueryValue, validate } from '../validation.ts';
import type { NumberedChunk, World } from '../world.ts';
import { type FindWorld, find } from './find.ts';
import type { Job, JobKey } from './job.ts';
import { load } from './payload.ts';

export interface StreamRequest extends JobKey {
  /** The query parameter `from`, as it came: the number of the first chunk that is wanted. */
  readonly from?: QueryValue;
}

type StreamWorld = FindWorld & Pick<World, 'chunks' | 'objects' | 'payloads'>;

/** Characters that are sent at once, if there are as many. */
const PIECE = 65_536;

const fromMust = 'must be a whole number from 0';
const fromSchema = z.int(fromMust).check(z.gte(0, fromMust));

/**
 * How many chunks of the present attempt count. While it runs all do, and when its worker has reported its end those of
 * which it was told. Of an attempt that ended in another way nobody knows which chunks came in time: they go with it,
 * as its output does.
 */
function countOf(job: Job): number {
  if (job.status === 'IN_PROGRESS') return Number.POSITIVE_INFINITY;
  return 'chunks' in job ? (job.chunks ?? 0) : 0;
}

async function textOf(world: StreamWorld, job: Job, { number, chunk }: NumberedChunk): Promise<string> {
  const { output, metrics, part, parts } = chunk;
  const own = `"stream_index":${number}`;
  return jsonText({
    output: await load(world, job, output),
    metrics: metrics && metrics !== '{}' ? `{${own},${metrics.slice(1)}` : `{${own}}`,
    part: part?.toString(),
    parts: parts?.toString(),
  });
}

async function* arrayOf(world: StreamWorld, job: Job, from: number): AsyncGenerator<string> {
  let piece = '[';
  let separator = '';
  const count = countOf(job);
  if (from < count)
    for await (const chunk of world.chunks.list(job, job.attempt, from, count)) {
      piece += separator + (await textOf(world, job, chunk));
      separator = ',';
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
  yield `${piece}]`;
}

/**
 * Reads what a job has streamed so far. It changes nothing: who asks again is told the same, and more.
 *
 * Input: endpoint, job id, number of the first chunk. Output: the pieces of a JSON array of chunks, as they are read.
 *  1. Refuse what `status` refuses, and a number that is none.
 *  2. Read the chunks of the attempt that runs, or of the last one if its worker has reported its end; none of one that
 *     waits. The chunks of earlier attempts are over.
 */
export async function stream(
  world: StreamWorld,
  { from = '0', ...key }: StreamRequest,
): Promise<AsyncIterable<string>> {
  const first = validate(fromSchema, parseQueryNumber(from), 'from');
  const { job } = await find(world, key);
  return arrayOf(world, job, first);
}
