/** What the id of a job says: when it was submitted, and for how long its result is kept. */
import type { Job } from './job.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const FORM = /^(sync-)?(?<time>[0-9a-z]{10})[0-9a-z]{26}$/;

const MINUTE = 60_000;

/** Milliseconds since the epoch; undefined of an id that the service has not issued. */
export function submittedAt(id: string): number | undefined {
  const time = FORM.exec(id)?.groups?.time;
  return time === undefined ? undefined : [...time].reduce((sum, digit) => sum * 32 + ALPHABET.indexOf(digit), 0);
}

/** Minutes for which a result is kept after the end, unless a client asks for less. */
export const keptMinutes = (id: string): number => (id.startsWith('sync-') ? 1 : 30);

/**
 * When the job ended, in milliseconds since the epoch; undefined if the record does not say. The times of a job that
 * was retried count from the retry, which has no time in the record; a job that ran once was not retried before.
 */
export function endedAt(
  job: Pick<Job, 'id' | 'status' | 'attempts' | 'delayTime' | 'executionTime'>,
): number | undefined {
  const submitted = submittedAt(job.id);
  const ranOnce = job.attempts === 1 && ['COMPLETED', 'FAILED'].includes(job.status);
  return submitted !== undefined && ranOnce ? submitted + job.delayTime + job.executionTime : undefined;
}

/**
 * When the result is removed at the latest; undefined if the end is not known.
 * @param endSeenAt when a page saw it end
 */
export function keptUntil(job: Parameters<typeof endedAt>[0], endSeenAt?: number): number | undefined {
  const end = endedAt(job) ?? endSeenAt;
  return end === undefined ? undefined : end + keptMinutes(job.id) * MINUTE;
}
