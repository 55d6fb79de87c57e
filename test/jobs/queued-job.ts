import type { QueuedJob } from '../../core/jobs/job.ts';
import { accept } from '../../core/jobs/machine.ts';

/**
 * Returns a job accepted at `now`, in milliseconds. It waits and runs for at most 10 s and 6 s, and is retained
 * for 60 s.
 */
export const queuedJob = (now: number): QueuedJob =>
  accept({
    endpoint: 'echo',
    id: 'j1',
    kind: 'run',
    owner: 'o',
    lowPriority: false,
    generation: 0,
    attempt: 0,
    attemptLimit: 3,
    rescues: 0,
    retries: 0,
    acceptedAt: now,
    queuedAt: now,
    queueTtl: 10_000,
    queueDeadline: now + 10_000,
    executionTimeout: 6_000,
    retention: 60_000,
    removeAfter: 1,
    input: { inline: '{}' },
  });
