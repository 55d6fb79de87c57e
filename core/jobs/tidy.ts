import { MAX_ATTEMPTS, SECOND, TIDY_AFTER } from '../limits.ts';
import type { Job } from './job.ts';

/**
 * When DynamoDB's time-to-live may remove what nobody can read any more, in seconds since the epoch as it wants them.
 * @param over when the last promise about the item ends, in milliseconds
 */
export const tidyAfter = (over: number): number => Math.ceil((over + TIDY_AFTER) / SECOND);

/**
 * When nobody can need a job and its input any more that is submitted or retried now: each of its attempts may wait and
 * run for as long as its policy allows.
 * @param now milliseconds
 * @returns seconds since the epoch
 */
export const lastUse = (
  { queueTtl, executionTimeout, retention }: Pick<Job, 'queueTtl' | 'executionTimeout' | 'retention'>,
  now: number,
): number => tidyAfter(now + MAX_ATTEMPTS * (queueTtl + executionTimeout) + retention);
