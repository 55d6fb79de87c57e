import * as z from 'zod/mini';
import { streamHold } from '../limits.ts';
import { parseQueryNumber, type QueryValue, validate } from '../validation.ts';
import { chunksOf, PIECE } from './chunk-texts.ts';
import { type DrainPorts, drain } from './drain.ts';
import { find } from './find.ts';
import type { Job, JobKey } from './job.ts';
import { parseWait } from './wait.ts';
import { type WaitSlotPorts, withWaitSlot } from './wait-slots.ts';

export interface StreamRequest extends JobKey {
  /** The query parameter `from`, as it came: the number of the first chunk that is wanted. */
  readonly from?: QueryValue;
  /** The query parameter `wait`, as it came; of an answer in the envelope alone. */
  readonly wait?: QueryValue;
  /** Whether the client reads the envelope alone. @default - the endpoint's `streamEnvelope` decides */
  readonly inEnvelope?: boolean;
  /** Aborted when the client has closed its connection. */
  readonly gone?: AbortSignal;
}

const fromMust = 'must be a whole number from 0';
const fromSchema = z.int(fromMust).check(z.gte(0, fromMust));

async function* arrayOf(ports: DrainPorts, job: Job, from: number): AsyncGenerator<string> {
  let piece = '[';
  let separator = '';
  for await (const { text } of chunksOf(ports, job, from)) {
    piece += separator + text;
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
 * Input: endpoint, job id, number of the first chunk. Output: the pieces of a JSON array of chunks, as they are read;
 * in the envelope those of an object (`drain.ts`).
 *  1. Refuse what `status` refuses, and a number that is none.
 *  2. Read the chunks of the attempt that runs, or of the last one if its worker has reported its end; none of one that
 *     waits. The chunks of earlier attempts are over.
 * @throws TooManyRequests if too many calls wait: with the envelope, while there is no chunk
 */
export async function stream(
  ports: DrainPorts & WaitSlotPorts,
  { from, wait, inEnvelope = false, gone, ...key }: StreamRequest,
): Promise<AsyncIterable<string>> {
  const first = from === undefined ? undefined : validate(fromSchema, parseQueryNumber(from), 'from');
  const longest = Math.min(parseWait(wait, streamHold.default), streamHold.longest);
  const { job } = await find(ports, key);
  if (!job.streamEnvelope && !inEnvelope) return arrayOf(ports, job, first ?? 0);
  return withWaitSlot(ports, { endpoint: key.endpoint, operation: 'stream' }, (hold) =>
    drain(ports, job, { from: first, wait: longest, gone, hold }),
  );
}
