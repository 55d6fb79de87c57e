import { SECOND, TIDY_AFTER } from '../limits.ts';

/**
 * When DynamoDB's time-to-live may remove what nobody can read any more, in seconds since the epoch as it wants them.
 * @param over when the last promise about the item ends, in milliseconds
 */
export const tidyAfter = (over: number): number => Math.ceil((over + TIDY_AFTER) / SECOND);
