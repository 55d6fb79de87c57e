/** The time at which all pictures are taken, and ids of jobs from before it. */

/** At night, when a person on call looks. */
export const NOW = Date.parse('2026-11-23T03:12:40.000Z');

const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** @param time before now, in milliseconds @returns ISO 8601 */
export const ago = (time: number): string => new Date(NOW - time).toISOString();

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 10;
const REST_DIGITS = 26;

/** Base 32, the most significant digit first. */
const digits = (value: number, count: number): string =>
  Array.from({ length: count }, (_, place) => ALPHABET[Math.floor(value / 32 ** (count - 1 - place)) % 32]).join('');

/**
 * The id that the service gives a job: when it was submitted, and a random rest, which is the same for the same time
 * here.
 * @param time before now, in milliseconds
 */
export function jobId(time: number): string {
  let seed = time + 1;
  const rest = Array.from({ length: REST_DIGITS }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return ALPHABET[seed % 32];
  });
  return `${digits(NOW - time, TIME_DIGITS)}${rest.join('')}`;
}

/** As ECS names tasks. */
export function workerId(number: number): string {
  let seed = number + 7;
  return Array.from({ length: 32 }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return (seed % 16).toString(16);
  }).join('');
}
