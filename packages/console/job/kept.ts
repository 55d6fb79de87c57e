/** Derives from the id of a job when it was submitted and how long its result is kept. */

import { MINUTE } from '../units.ts';
import type { Job } from './job.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const FORM = /^(sync-)?(?<time>[0-9a-z]{10})[0-9a-z]{26}$/;

/**
 * Returns when the job was submitted, in milliseconds since the epoch; undefined if the id does not have the format
 * of the service.
 */
export function submittedAt(id: string): number | undefined {
  const time = FORM.exec(id)?.groups?.time;
  return time === undefined ? undefined : [...time].reduce((sum, digit) => sum * 32 + ALPHABET.indexOf(digit), 0);
}

/** Minutes for which the service keeps the result and the input of a job from /run after its end. */
export const MAX_KEPT_MINUTES = 30;

/** Returns the minutes for which a result is kept after the end, unless the client requested less. */
export const keptMinutes = (id: string): number => (id.startsWith('sync-') ? 1 : MAX_KEPT_MINUTES);

/**
 * Returns when the job ended, in milliseconds since the epoch; undefined if the record does not contain this time.
 * The times of a retried job count from the retry, whose time the record does not contain. A job with one attempt
 * was not retried.
 */
export function endedAt(
  job: Pick<Job, 'id' | 'status' | 'attempts' | 'delayTime' | 'executionTime'>,
): number | undefined {
  const submitted = submittedAt(job.id);
  const ranOnce = job.attempts === 1 && ['COMPLETED', 'FAILED'].includes(job.status);
  return submitted !== undefined && ranOnce ? submitted + job.delayTime + job.executionTime : undefined;
}

/**
 * Returns when the result is removed at the latest; undefined if the end is unknown.
 * @param endSeenAt when a page saw the job end
 */
export function keptUntil(job: Parameters<typeof endedAt>[0], endSeenAt?: number): number | undefined {
  const end = endedAt(job) ?? endSeenAt;
  return end === undefined ? undefined : end + keptMinutes(job.id) * MINUTE;
}
