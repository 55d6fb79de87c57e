/** Reads what a job streams while it comes. */

import type { FindPorts } from '../jobs/find.ts';
import type { Job } from '../jobs/job.ts';
import { SECOND } from '../limits.ts';
import { isOver, watch } from '../waits/wait.ts';
import type { ReadChunk } from './pack.ts';
import { type ChunkPorts, chunksOf, countOf } from './read.ts';

export type FollowPorts = ChunkPorts & FindPorts;

export interface FollowOptions {
  /**
   * The number of the first chunk that is wanted of the job's present attempt; called once for each attempt.
   * @default - 0
   */
  readonly from?: (job: Job) => Promise<number>;
  /** How long to wait for the end of the job, in milliseconds. */
  readonly wait: number;
  /** Aborted when the client has closed its connection. */
  readonly gone?: AbortSignal | undefined;
  /**
   * Called before each pause; it throws to refuse the wait.
   * @default - each wait is allowed
   */
  readonly hold?: () => Promise<void>;
}

/** The next chunks of a stream. */
export interface Portion {
  /** The job as it was seen before the chunks were read. Another attempt than before begins with chunk 0 again. */
  readonly job: Job;
  /**
   * Must be read to its end before the next portion is asked for. It is empty in a last portion without new chunks, and where
   * the job has begun again after some of its chunks were given.
   */
  readonly chunks: AsyncIterable<ReadChunk>;
  /** Whether the job has ended and these are the last of its chunks, or the wait is over. */
  readonly isLast: boolean;
}

/** A look at the job is due so long after the last one, in milliseconds, although chunks keep coming. */
const LOOK = SECOND;

/**
 * Follows the stream of a job until the job ends, `wait` is over, or the client has gone; the last portion says so.
 *
 * Input: the job as it was just found. Output: portions, each with at least one chunk, except the last one and those that say
 * that the job has begun again.
 *  1. Read the chunks that are there. While they keep coming, read at each tick and look at the job once a second.
 *  2. If there is none, look at the job, as often as a call that waits does; a new chunk or status makes it look often again.
 * A second of a stream costs at most 20 queries of its chunks and 20 looks at its job, which calls of a process share.
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
  /** Whether chunks of this attempt were given. */
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
