/** Units of time in milliseconds, and formats of numbers, durations and sizes. */

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/**
 * Formats a duration, such as `84 ms`, `3.2 s`, `4 m 10 s`, `2 h 5 m` or `3 d 4 h`.
 * @param ms milliseconds
 */
export function duration(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(ms / SECOND).toFixed(1)} s`;
  const [unit, small, names] =
    ms < HOUR ? [MINUTE, SECOND, ['m', 's']] : ms < DAY ? [HOUR, MINUTE, ['h', 'm']] : [DAY, HOUR, ['d', 'h']];
  const rest = Math.floor((ms % unit) / small);
  return rest === 0
    ? `${Math.floor(ms / unit)} ${names[0]}`
    : `${Math.floor(ms / unit)} ${names[0]} ${rest} ${names[1]}`;
}

/** Formats a size, such as `812 bytes`, `4.1 KB` or `20.0 MB`. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} bytes`;
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)} KB` : `${(count / 1_000_000).toFixed(1)} MB`;
}

export const count = (value: number): string => value.toLocaleString('en-US');
