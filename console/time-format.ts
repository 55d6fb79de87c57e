/** Absolute times as the console shows them. */
import type { Zone } from './preferences.ts';

/** ISO 8601, or milliseconds since the epoch. */
export type Instant = string | number;

const two = (value: number) => String(value).padStart(2, '0');

const parts = (date: Date, zone: Zone) =>
  zone === 'utc'
    ? [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), ...clockParts(date, zone)]
    : [date.getFullYear(), date.getMonth(), date.getDate(), ...clockParts(date, zone)];

const clockParts = (date: Date, zone: Zone) =>
  zone === 'utc'
    ? [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()]
    : [date.getHours(), date.getMinutes(), date.getSeconds()];

/** Minutes east of UTC as `UTC`, `UTC+2` or `UTC-3:30`. */
function offsetOf(date: Date, zone: Zone): string {
  const minutes = zone === 'utc' ? 0 : -date.getTimezoneOffset();
  if (minutes === 0) return 'UTC';
  const size = Math.abs(minutes);
  const rest = size % 60 === 0 ? '' : `:${two(size % 60)}`;
  return `UTC${minutes < 0 ? '-' : '+'}${Math.floor(size / 60)}${rest}`;
}

/** Such as `2026-11-23 08:14:02`; a text that is no time is returned as it is. */
export function dateAndTime(at: Instant, zone: Zone): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  const [year = 0, month = 0, day = 0] = parts(date, zone);
  return `${year}-${two(month + 1)}-${two(day)} ${timeOfDay(at, zone)}`;
}

/** Such as `08:14:02`. */
export function timeOfDay(at: Instant, zone: Zone): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  return clockParts(date, zone).map(two).join(':');
}

/** The instant in the zone that the page does not show, named: `2026-11-23 07:14:02 UTC`. */
export function inOtherZone(at: Instant, zone: Zone): string {
  const other = zone === 'utc' ? 'local' : 'utc';
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at) : `${dateAndTime(at, other)} ${offsetOf(date, other)}`;
}
