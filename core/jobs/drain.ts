import type { Drains } from './chunk-store.ts';
import { PIECE } from './chunk-texts.ts';
import { type FollowOptions, type FollowPorts, followChunks, type Portion } from './follow.ts';
import type { Job } from './job.ts';

export type DrainPorts = FollowPorts & { readonly drains: Drains };

export interface DrainOptions extends Omit<FollowOptions, 'from' | 'hold'>, Required<Pick<FollowOptions, 'hold'>> {
  /** The first chunk that is wanted, whatever was given before; then it counts as given no more than it was. */
  readonly from?: number;
}

async function* envelopeOf(
  ports: DrainPorts,
  { job, chunks }: Pick<Portion, 'job' | 'chunks'>,
  isNoted: boolean,
): AsyncGenerator<string> {
  let piece = `{"status":${JSON.stringify(job.status)},"stream":[`;
  let next: number | undefined;
  for await (const { number, text } of chunks) {
    piece += (next === undefined ? '' : ',') + text;
    next = number + 1;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  // Before the end, so that who has read it all and asks again is given none twice; after everything else, so that who
  // was cut off is given it again.
  if (next !== undefined && isNoted) await ports.drains.note(job, job.attempt, next, job.removeAfter);
  yield `${piece}]}`;
}

/**
 * Reads the chunks of a job that nobody has been given yet, as clients of the original service expect it.
 *
 * Input: the job as it was just found, first chunk. Output: the pieces of `{"status", "stream": [chunks]}`.
 *  1. Wait until there is a chunk, or the job has ended, or the time is up.
 *  2. Give all chunks there are. The status was read before them, so one that says that the job has ended comes with the
 *     last chunk, or after it.
 *  3. Note how far they were given. Of two readers at the same time both may get a chunk; none is lost to both.
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
  throw new Error('A stream has ended without a last portion.');
}
