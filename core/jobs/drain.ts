import type { World } from '../world.ts';
import { type ChunkWorld, chunkTexts, countOf, PIECE } from './chunk-texts.ts';
import type { FindWorld } from './find.ts';
import type { Job } from './job.ts';
import { isOver, watch } from './watch.ts';

export type DrainWorld = ChunkWorld & FindWorld & Pick<World, 'drains'>;

export interface DrainOptions {
  /** The first chunk that is wanted, whatever was given before; then it counts as given no more than it was. */
  readonly from?: number;
  /** How long to wait for a chunk, in milliseconds. */
  readonly wait: number;
  /** Aborted when the client has closed its connection. */
  readonly gone?: AbortSignal | undefined;
  /** Is called before the first pause; it throws to refuse the wait. */
  readonly hold: () => Promise<void>;
}

type Chunks = ReturnType<typeof chunkTexts>;

/** The first chunk is read already. */
async function* envelopeOf(
  world: DrainWorld,
  job: Job,
  chunks: Chunks,
  head: Awaited<ReturnType<Chunks['next']>>,
  isNoted: boolean,
): AsyncGenerator<string> {
  let piece = `{"status":${JSON.stringify(job.status)},"stream":[`;
  let next: number | undefined;
  for (let chunk = head; !chunk.done; chunk = await chunks.next()) {
    piece += (next === undefined ? '' : ',') + chunk.value.text;
    next = chunk.value.number + 1;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  // Before the end, so that who has read it all and asks again is given none twice; after everything else, so that who
  // was cut off is given it again.
  if (next !== undefined && isNoted) await world.drains.note(job, job.attempt, next, job.removeAfter);
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
  world: DrainWorld,
  found: Job,
  { from, wait, gone, hold }: DrainOptions,
): Promise<AsyncIterable<string>> {
  const watched = watch(world, found, wait, gone);
  const given = new Map<number, number>();
  for (let job = found; ; job = await watched.next()) {
    if (from === undefined && countOf(job) > 0 && !given.has(job.attempt))
      given.set(job.attempt, await world.drains.read(job, job.attempt));
    const chunks = chunkTexts(world, job, from ?? given.get(job.attempt) ?? 0);
    const head = await chunks.next();
    if (!head.done || isOver(job) || watched.isOver()) return envelopeOf(world, job, chunks, head, from === undefined);
    await hold();
  }
}
