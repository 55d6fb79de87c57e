/** Times in options: a time in UTC, or how long ago it was. */
import { InvalidArgumentError } from 'commander';
import { DAY, HOUR, MINUTE, SECOND } from '../../core/limits.ts';

const units: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, min: MINUTE, h: HOUR, d: DAY };
const DURATION = /^(?<count>\d{1,6})(?<unit>s|min|m|h|d)$/;

/** Returns a time in UTC: the given one, or the one a duration such as `12h` ago. */
export function timeOf(value: string, now: number = Date.now()): string {
  const { count, unit } = DURATION.exec(value)?.groups ?? {};
  if (unit !== undefined) return new Date(now - Number(count) * (units[unit] ?? 0)).toISOString();
  if (/^\d{4}-\d{2}-\d{2}/.test(value)) return value;
  throw new InvalidArgumentError('It must be a duration such as 90s, 15min, 12h or 7d, or a time in UTC.');
}

/** Reads the value of an option. Commander passes an earlier value as the second argument. */
export const timeOption = (value: string): string => timeOf(value);
