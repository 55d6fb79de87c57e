import { find } from '../jobs/find.ts';
import type { Job, JobKey } from '../jobs/job.ts';
import { streamHold } from '../limits.ts';
import { parseIndex, type QueryValue } from '../requests/validation.ts';
import { type WaitSlotPorts, withWaitSlot } from '../waiting-calls/slots.ts';
import { parseWait } from '../waiting-calls/wait.ts';
import { type FollowOptions, type FollowPorts, followChunks, type Portion } from './follow.ts';
import type { ReadChunk } from './pack.ts';
import { chunksOf, PIECE } from './read.ts';
import type { Drains } from './store.ts';

export interface StreamRequest extends JobKey {
  /** The query parameter `from`, unparsed: the number of the first chunk to return. */
  readonly from?: QueryValue | undefined;
  /** The query parameter `wait`, unparsed; applies only to an answer in the envelope. */
  readonly wait?: QueryValue | undefined;
  /**
   * Whether the client can only read the envelope.
   * @default - the endpoint's `streamEnvelope`
   */
  readonly inEnvelope?: boolean;
  /** Aborted when the client closes its connection. */
  readonly gone?: AbortSignal | undefined;
}

/**
 * Joins the texts of chunks with commas, in pieces of at least `PIECE` characters.
 * @returns the remaining text, and the number after the last chunk
 */
async function* joined(
  opening: string,
  chunks: AsyncIterable<ReadChunk>,
): AsyncGenerator<string, { readonly rest: string; readonly next: number | undefined }> {
  let piece = opening;
  let next: number | undefined;
  for await (const { number, text } of chunks) {
    piece += (next === undefined ? '' : ',') + text;
    next = number + 1;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  return { rest: piece, next };
}

async function* arrayOf(ports: DrainPorts, job: Job, from: number): AsyncGenerator<string> {
  const { rest } = yield* joined('[', chunksOf(ports, job, from));
  yield `${rest}]`;
}

/**
 * Reads the chunks that a job has streamed so far. Without the envelope, changes nothing: a repeated call returns
 * the same chunks and newer chunks.
 *
 * Input: endpoint, job id, number of the first chunk. Output: the pieces of a JSON array of chunks, as they are
 * read; with the envelope, the pieces of an object (`drain`).
 *  1. Refuse every request that `status` refuses, and a malformed number.
 *  2. Read the chunks of the running attempt, or those that the last attempt streamed before the job ended. A waiting
 *     job has no chunks. Chunks of earlier attempts are not returned.
 * @throws TooManyRequests if too many calls wait, which only calls with the envelope do
 */
export async function stream(
  ports: DrainPorts & WaitSlotPorts,
  { from, wait, inEnvelope = false, gone, ...key }: StreamRequest,
): Promise<AsyncIterable<string>> {
  const first = parseIndex(from, 'from');
  const maxWait = Math.min(parseWait(wait, streamHold.default), streamHold.max);
  const { job } = await find(ports, key);
  if (!job.streamEnvelope && !inEnvelope) return arrayOf(ports, job, first ?? 0);
  return withWaitSlot(ports, { endpoint: key.endpoint, operation: 'stream' }, (hold) =>
    drain(ports, job, { from: first, wait: maxWait, gone, hold }),
  );
}

export type DrainPorts = FollowPorts & { readonly drains: Drains };

export interface DrainOptions extends Omit<FollowOptions, 'from' | 'hold'>, Required<Pick<FollowOptions, 'hold'>> {
  /** The first chunk to return, regardless of the stored position, which does not change. */
  readonly from?: number | undefined;
}

async function* envelopeOf(
  ports: DrainPorts,
  { job, chunks }: Pick<Portion, 'job' | 'chunks'>,
  storesPosition: boolean,
): AsyncGenerator<string> {
  const { rest, next } = yield* joined(`{"status":${JSON.stringify(job.status)},"stream":[`, chunks);
  // Store the position before the last piece, so that a reader of the whole response gets no chunk twice, and
  // after all other pieces, so that a disconnected reader gets them again.
  if (next !== undefined && storesPosition) await ports.drains.set(job, job.attempt, next, job.removeAfter);
  yield `${rest}]}`;
}

/**
 * Reads the chunks of a job that were not returned yet, in the envelope that RunPod's clients expect.
 *
 * Input: the job, just read, and the number of the first chunk. Output: the pieces of `{"status", "stream":
 * [chunks]}`.
 *  1. Wait for a chunk, for the end of the job or for the end of `wait`.
 *  2. Return all chunks. The status is read before the chunks, so a final status is never returned before the last
 *     chunk.
 *  3. Store the position. Two concurrent readers might get the same chunk, but no chunk is lost.
 * @throws as `hold`
 */
export async function drain(
  ports: DrainPorts,
  found: Job,
  { from, ...options }: DrainOptions,
): Promise<AsyncIterable<string>> {
  const first = async (job: Job) => from ?? ports.drains.read(job, job.attempt);
  for await (const portion of followChunks(ports, found, { ...options, from: first }))
    return envelopeOf(ports, portion, from === undefined);
  throw new Error('The stream ended without a last portion.');
}
