/** The time that an endpoint's page shows: its charts show a range, and its tabs the selected part of it. */
import { DAY, HOUR, MINUTE } from '../../units.ts';

export const ranges = [
  { id: '1h', text: '1 h', name: 'last hour', length: HOUR, step: 'minute' },
  { id: '24h', text: '24 h', name: 'last 24 hours', length: DAY, step: 'hour' },
  { id: '7d', text: '7 d', name: 'last 7 days', length: 7 * DAY, step: 'hour' },
  { id: '90d', text: '90 d', name: 'last 90 days', length: 90 * DAY, step: 'day' },
] as const;

export type Range = (typeof ranges)[number];

export const stepLengths = { minute: MINUTE, hour: HOUR, day: DAY } as const;

/** @param name from the address; an unknown name selects 24 hours */
export const rangeOf = (name: string | null): Range => ranges.find(({ id }) => id === name) ?? ranges[1];

export interface Period {
  readonly range: Range;
  /** Start of the selected part in ISO 8601; undefined if the tabs show the whole range. */
  readonly since?: string | undefined;
  /** End of the selected part in ISO 8601; undefined for now. */
  readonly until?: string | undefined;
}

/** Returns the time in an address; undefined if the text is not one. */
function timeIn(text: string | null): string | undefined {
  const at = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

export function periodOf(parameters: URLSearchParams): Period {
  const [since, until] = [timeIn(parameters.get('since')), timeIn(parameters.get('until'))];
  return { range: rangeOf(parameters.get('range')), since, until };
}

export interface Times {
  readonly since: string;
  readonly until: string | undefined;
}

/** Returns the times of a request about the period. */
export function timesOf({ range, since, until }: Period, now = Date.now()): Times {
  const end = until === undefined ? now : Date.parse(until);
  return { since: since ?? new Date(end - range.length).toISOString(), until };
}

/** Returns whether an instant is in the selected part. Everything is in a period without one. */
export const isIn = ({ since, until }: Period, at: string | undefined): boolean =>
  at === undefined || ((since === undefined || at >= since) && (until === undefined || at <= until));

/** Returns the instant that a user has typed in the zone, such as `2026-11-23 03:10`; undefined if it is none. */
export function typedTime(text: string, zone: 'utc' | 'local'): string | undefined {
  const found = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)$/.exec(text.trim());
  return found ? timeIn(`${found[1]}T${found[2]}${zone === 'utc' ? 'Z' : ''}`) : undefined;
}
