/** Pauses between attempts of which DynamoDB rejected a part. The SDK repeats only calls that fail as a whole. */
import { SECOND } from '../core/limits.ts';

/** Maximum number of attempts. */
export const MAX_ATTEMPTS = 12;
const pauses = { first: 20, max: SECOND } as const;

/**
 * Returns the pause after an attempt, in milliseconds. It is random, because callers that conflicted would conflict again
 * if they repeated their calls at the same time.
 * @param attempt 0 after the first attempt
 */
export const retryPause = (attempt: number): number =>
  Math.random() * Math.min(pauses.max, pauses.first * 2 ** attempt);
