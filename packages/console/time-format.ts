/** Formats absolute times for the console. */
import type { Zone } from './preferences.ts';
import { MINUTE } from './units.ts';

/** ISO 8601, or milliseconds since the epoch. */
export type Instant = string | number;

/** @returns the offset of this browser's clock from UTC at an instant, in minutes; positive east of UTC */
export type LocalOffset = (date: Date) => number;

const offsetOfBrowser: LocalOffset = (date) => -date.getTimezoneOffset();

const two = (value: number) => String(value).padStart(2, '0');

/**
 * Returns the local date and time of the zone, written as ISO 8601 in UTC; undefined if the instant is not a time.
 */
function readingOf(at: Instant, zone: Zone, local: LocalOffset): string | undefined {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return undefined;
  return new Date(date.getTime() + (zone === 'utc' ? 0 : local(date) * MINUTE)).toISOString();
}

/** Formats a date and time, such as `2026-11-23 08:14:02`. A text that is not a time is returned unchanged. */
export const dateAndTime = (at: Instant, zone: Zone, local = offsetOfBrowser): string =>
  readingOf(at, zone, local)?.slice(0, 19).replace('T', ' ') ?? String(at);

/** Formats a time of day, such as `08:14:02`. */
export const timeOfDay = (at: Instant, zone: Zone, local = offsetOfBrowser): string =>
  readingOf(at, zone, local)?.slice(11, 19) ?? String(at);

/** Returns the name of an offset, such as `UTC`, `UTC+2` or `UTC-3:30`. */
function nameOf(offset: number): string {
  if (offset === 0) return 'UTC';
  const minutes = Math.abs(offset);
  const rest = minutes % 60 === 0 ? '' : `:${two(minutes % 60)}`;
  return `UTC${offset < 0 ? '-' : '+'}${Math.floor(minutes / 60)}${rest}`;
}

/** Formats the instant in the zone that the page does not show, with its name: `2026-11-23 07:14:02 UTC`. */
export function inOtherZone(at: Instant, zone: Zone, local = offsetOfBrowser): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  const other = zone === 'utc' ? 'local' : 'utc';
  return `${dateAndTime(at, other, local)} ${nameOf(other === 'utc' ? 0 : local(date))}`;
}
