/** Reads the chunks of a job while its worker streams them. */

import type { FindPorts } from '../jobs/find.ts';
import type { Job } from '../jobs/job.ts';
import { SECOND } from '../limits.ts';
import { hasEnded, watch } from '../waiting-calls/watch.ts';
import type { ReadChunk } from './pack.ts';
import { type ChunkPorts, chunksOf, countOf } from './read.ts';

export type FollowPorts = ChunkPorts & FindPorts;

export interface FollowOptions {
  /**
   * Returns the number of the first chunk to read of the job's current attempt. Called once for each attempt.
   * @default - 0
   */
  readonly from?: (job: Job) => Promise<number>;
  /** Maximum time to wait for the end of the job, in milliseconds. */
  readonly wait: number;
  /** Aborted when the client closes its connection. */
  readonly gone?: AbortSignal | undefined;
  /**
   * Called before each pause; throws to refuse the wait.
   * @default - all waits are allowed
   */
  readonly hold?: () => Promise<void>;
}

/** The next chunks of a stream. */
export interface Portion {
  /** The job, read before the chunks. A new attempt begins again with chunk 0. */
  readonly job: Job;
  /**
   * Chunks, which the caller must read to the end before the next portion. Empty in a last portion without new
   * chunks, and in a portion before a new attempt if chunks of the earlier attempt were returned.
   */
  readonly chunks: AsyncIterable<ReadChunk>;
  /** Whether these are the last chunks of a job that has ended, or the wait is over. */
  readonly isLast: boolean;
}

/** Time in milliseconds after which the job is read again even while new chunks arrive. */
const JOB_READ_PAUSE = SECOND;

/**
 * Follows the stream of a job until the job ends, `wait` is over, or the client disconnects. The last portion has
 * `isLast`.
 *
 * Input: the job, just read. Output: portions. Each portion has at least one chunk, except the last portion and a
 * portion before a new attempt.
 *  1. Read the new chunks. While chunks arrive, read chunks at each tick and the job once a second.
 *  2. Without new chunks, read the job as often as a waiting call does. A new chunk or status makes the reads
 *     frequent again. A stream costs at most 20 queries of its chunks per second, and 20 reads of its job, which all
 *     calls of a process share.
 * @throws as `find`, and as `hold`
 */
export async function* followChunks(
  ports: FollowPorts,
  found: Job,
  { from = async () => 0, wait, gone, hold }: FollowOptions,
): AsyncGenerator<Portion, void> {
  const { clock } = ports;
  const watched = watch(ports, found, wait, { gone });
  let [job, readAt] = [found, clock.now()];
  let attempt: number | undefined;
  let next = 0;
  /** Whether chunks of the current attempt were returned. */
  let hasReturned = false;

  for (;;) {
    const beginsAgain = hasReturned && (job.attempt !== attempt || job.status === 'IN_QUEUE');
    if (beginsAgain) hasReturned = false;
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

    const isLast = hasEnded(job) || watched.isTimeUp();
    if (!first.done || isLast || beginsAgain) yield { job, chunks: all(), isLast };
    if (isLast) return;
    if (!first.done) {
      hasReturned = true;
      watched.pollFaster();
    }
    await hold?.();
    if (!first.done && clock.now() - readAt < JOB_READ_PAUSE) {
      await watched.tick(took);
      continue;
    }
    const seen = await watched.next();
    if (seen.status !== job.status) watched.pollFaster();
    [job, readAt] = [seen, clock.now()];
  }
}
