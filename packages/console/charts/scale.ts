/** Places times and values on the axes of a chart. */
import { DAY, HOUR, MINUTE } from '../units.ts';

/** A time span, in milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns where an instant is in a span: 0 at its start, 1 at its end, and the nearest of them outside. */
export const placeIn = ({ from, to }: Span, at: number): number => Math.min(1, Math.max(0, (at - from) / (to - from)));

/** @param place from 0 to 1 */
export const instantAt = ({ from, to }: Span, place: number): number =>
  from + Math.min(1, Math.max(0, place)) * (to - from);

/** Formats a place for CSS, such as `12.5%`. */
export const percent = (place: number): string => `${Math.round(place * 100_000) / 1_000}%`;

const MAX_TICKS = 5;
const distances = [10 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 30 * DAY];

/**
 * Returns the times that the time axis names, at round times of the user's zone.
 * @param zoneOffset milliseconds by which the clock of the zone is ahead of UTC
 */
export function ticksOf({ from, to }: Span, zoneOffset: number): number[] {
  const distance = distances.find((one) => (to - from) / one <= MAX_TICKS) ?? 30 * DAY;
  const first = Math.ceil((from + zoneOffset) / distance) * distance - zoneOffset;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / distance) + 1) }, (_, n) => first + n * distance);
}

/** Returns a round number that is at least the value: 1, 2 or 5 times a power of ten. */
export function topOf(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((factor) => factor * power >= value * 0.999_999) ?? 10) * power;
}
