/** Figures of what happened on the endpoints lately, which the service sums once a minute. */
import type { Endpoint, Recent } from '../../api/management-types.ts';
import { HOUR } from '../../units.ts';

type Ends = Pick<Recent['lastHour'], 'ended' | 'failed'>;

/** Returns the share of failed jobs, from 0 to 1. */
const failedShare = ({ ended, failed }: Ends): number => (ended === 0 ? 0 : failed / ended);

/** Share of failed jobs above which an endpoint is failing, as for its alarm, and the least number of failures for it. */
const FAILING = { share: 0.2, failed: 3 } as const;

export const isFailing = (ends: Ends): boolean => ends.failed >= FAILING.failed && failedShare(ends) > FAILING.share;

/** Formats the share of failed jobs, such as `40 %` or `<1 %`. */
export function percentOf(ends: Ends): string {
  const percent = failedShare(ends) * 100;
  return percent > 0 && percent < 1 ? '<1 %' : `${Math.round(percent)} %`;
}

/** Returns the dollars of today, or undefined if no endpoint has them yet. */
export function dollarsToday(endpoints: readonly Endpoint[]): number | undefined {
  const known = endpoints.flatMap(({ recent }) => recent ?? []);
  return known.length === 0 ? undefined : known.reduce((total, { today }) => total + today.dollars, 0);
}

const HOURS = 24;

export interface HourOfDay {
  /** Begin of the hour in milliseconds since the epoch. */
  readonly from: number;
  readonly ended: number;
  readonly failed: number;
}

/** Returns the last 24 hours, oldest first, with those in which no job ended. */
export function hoursOf({ hours }: Pick<Recent, 'hours'>, now: number): HourOfDay[] {
  const known = new Map(hours.map(({ from, ...ends }) => [Date.parse(from), ends]));
  const last = now - (now % HOUR);
  return Array.from({ length: HOURS }, (_, index) => {
    const from = last - (HOURS - 1 - index) * HOUR;
    return { from, ...(known.get(from) ?? { ended: 0, failed: 0 }) };
  });
}

/** Returns the jobs that ended within the last 24 hours. */
export function lastDay(recent: Pick<Recent, 'hours'>, now: number): Ends {
  const hours = hoursOf(recent, now);
  const sum = (of: 'ended' | 'failed') => hours.reduce((total, hour) => total + hour[of], 0);
  return { ended: sum('ended'), failed: sum('failed') };
}
