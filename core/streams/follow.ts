/** Reads the chunks of a job while its worker streams them. */

import type { FindPorts } from '../jobs/find.ts';
import type { Job } from '../jobs/job.ts';
import { SECOND } from '../limits.ts';
import { isOver, watch } from '../waits/wait.ts';
import type { ReadChunk } from './pack.ts';
import { type ChunkPorts, chunksOf, countOf } from './read.ts';

export type FollowPorts = ChunkPorts & FindPorts;

export interface FollowOptions {
  /**
   * Returns the number of the first chunk to read of the job's present attempt; called once for each attempt.
   * @default - 0
   */
  readonly from?: (job: Job) => Promise<number>;
  /** How long to wait for the end of the job, in milliseconds. */
  readonly wait: number;
  /** Aborted when the client has closed its connection. */
  readonly gone?: AbortSignal | undefined;
  /**
   * Called before each pause; it throws to refuse the wait.
   * @default - all waits are allowed
   */
  readonly hold?: () => Promise<void>;
}

/** The next chunks of a stream. */
export interface Portion {
  /** The job, read before the chunks. A new attempt begins with chunk 0 again. */
  readonly job: Job;
  /**
   * The caller must read them to the end before the next portion. Empty in a last portion without new chunks, and in a
   * portion after which the job begins again although some of its chunks were returned.
   */
  readonly chunks: AsyncIterable<ReadChunk>;
  /** Whether these are the last chunks of a job that has ended, or the wait is over. */
  readonly isLast: boolean;
}

/** Milliseconds after which the job is read again even while chunks keep coming. */
const LOOK = SECOND;

/**
 * Follows the stream of a job until the job ends, `wait` is over, or the client disconnects. The last portion has
 * `isLast`.
 *
 * Input: the job, just read. Output: portions, each with at least one chunk, except the last one and those after which
 * the job begins again.
 *  1. Read the new chunks. While there are some, read at each tick, and read the job once a second.
 *  2. If there are none, read the job as often as a call that waits. A new chunk or status makes the reads frequent
 *     again. A second of a stream costs at most 20 queries of its chunks and 20 reads of its job, which calls of a
 *     process share.
 * @throws as `find`, and as `hold`
 */
export async function* followChunks(
  ports: FollowPorts,
  found: Job,
  { from = async () => 0, wait, gone, hold }: FollowOptions,
): AsyncGenerator<Portion, void> {
  const { clock } = ports;
  const watched = watch(ports, found, wait, gone);
  let [job, lookedAt] = [found, clock.now()];
  let attempt: number | undefined;
  let next = 0;
  /** Whether chunks of this attempt were returned. */
  let isGiven = false;

  for (;;) {
    const beginsAgain = isGiven && (job.attempt !== attempt || job.status === 'IN_QUEUE');
    if (beginsAgain) isGiven = false;
    if (job.attempt !== attempt && countOf(job) > 0) {
      attempt = job.attempt;
      next = await from(job);
    }
    const begun = clock.now();
    const chunks = chunksOf(ports, job, next);
    const first = await chunks.next();
    const took = clock.now() - begun;

    async function* all(): AsyncGenerator<ReadChunk> {
      for (let chunk = first; !chunk.done; chunk = await chunks.next()) {
        next = chunk.value.number + 1;
        yield chunk.value;
      }
    }

    const isLast = isOver(job) || watched.isOver();
    if (!first.done || isLast || beginsAgain) yield { job, chunks: all(), isLast };
    if (isLast) return;
    if (!first.done) {
      isGiven = true;
      watched.hasten();
    }
    await hold?.();
    if (!first.done && clock.now() - lookedAt < LOOK) {
      await watched.tick(took);
      continue;
    }
    const seen = await watched.next();
    if (seen.status !== job.status) watched.hasten();
    [job, lookedAt] = [seen, clock.now()];
  }
}
