/** Numbers of streams, on the way from the container to the store. Durations are milliseconds, sizes are bytes. */
import { MINUTE, SECOND } from '../limits.ts';

/**
 * An agent answers `job-stream` when it has the chunk in its buffer. The buffer of a job holds `bytes` of JSON and `chunks`
 * at most; chunks wait for room in it, and one of more than `bytes` is answered when it is stored. So a worker with
 * `MOST_AT_ONCE` jobs holds 25 MB of chunks that are answered and not stored.
 */
export const chunkBuffer = { bytes: 256 * 1024, chunks: 250 } as const;
/**
 * The chunks in the buffer of a job are stored up to `chunks` in a write. Two writes of a job begin at least `every` ms apart.
 * After a write that failed the agent pauses for `pause.first`, and for ever longer up to `pause.longest`. A call of the
 * container that waits for writes fails when they have failed for `patience`.
 */
export const chunkWrites = {
  chunks: 100,
  every: 50,
  pause: { first: 100, longest: 2 * SECOND },
  patience: MINUTE,
} as const;
