import { MAX_ATTEMPTS, REMOVE_AFTER, SECOND } from '../limits.ts';
import type { Job } from './job.ts';

/**
 * When DynamoDB's time-to-live may remove an item that has no readers any more.
 * @param over when the last promise about the item ends, in milliseconds since the epoch
 * @returns seconds since the epoch
 */
export const removeAfterEnd = (over: number): number => Math.ceil((over + REMOVE_AFTER) / SECOND);

/**
 * When DynamoDB's time-to-live may remove a job that is submitted or retried now, and its input: each attempt may wait
 * and run for as long as the policy of the job allows.
 * @param now milliseconds since the epoch
 * @returns seconds since the epoch
 */
export const removeAfterLastUse = (
  { queueTtl, executionTimeout, retention }: Pick<Job, 'queueTtl' | 'executionTimeout' | 'retention'>,
  now: number,
): number => removeAfterEnd(now + MAX_ATTEMPTS * (queueTtl + executionTimeout) + retention);
