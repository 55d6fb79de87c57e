/** The fixed time of all pictures, and ids of earlier jobs. */

/** Time of all pictures, at night. */
export const NOW = Date.parse('2026-11-23T03:12:40.000Z');

const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/**
 * @param time milliseconds before now
 * @returns ISO 8601
 */
export const ago = (time: number): string => new Date(NOW - time).toISOString();

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 10;
const REST_DIGITS = 26;

/** Encodes a number in base 32, most significant digit first. */
const digits = (value: number, count: number): string =>
  Array.from({ length: count }, (_, place) => ALPHABET[Math.floor(value / 32 ** (count - 1 - place)) % 32]).join('');

/**
 * Creates an id like those of the service: the time of submission and random digits. Here the digits depend only on
 * the time.
 * @param time milliseconds before now
 */
export function jobId(time: number): string {
  let seed = time + 1;
  const rest = Array.from({ length: REST_DIGITS }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return ALPHABET[seed % 32];
  });
  return `${digits(NOW - time, TIME_DIGITS)}${rest.join('')}`;
}

/** Returns an id in the format of ECS tasks. */
export function workerId(number: number): string {
  let seed = number + 7;
  return Array.from({ length: 32 }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return (seed % 16).toString(16);
  }).join('');
}
