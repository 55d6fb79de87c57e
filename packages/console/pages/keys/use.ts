/** How much each key was used, from `GET /v1/costs` by key and day. A day is one in UTC. */
import type { Cost } from '../../api/management-types.ts';
import { DAY } from '../../units.ts';

export interface KeyUse {
  /** Last day on which a job of the key ran, such as `2030-01-31`. */
  readonly lastDay: string;
  /** Jobs that ended, and US dollars, in `USE_DAYS`. */
  readonly jobs: number;
  readonly dollars: number;
  /** US dollars of today. */
  readonly today: number;
}

/** Days of which the page shows the use, with today. */
export const USE_DAYS = 30;

/** Returns the day of a time. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Returns the begin of the days. */
export const usesSince = (now: number): string => new Date(now - (now % DAY) - (USE_DAYS - 1) * DAY).toISOString();

/** Returns the use by the id of the key. Keys that ran no job are absent. */
export function usesOf(costs: readonly Cost[], now: number): ReadonlyMap<string, KeyUse> {
  const uses = new Map<string, KeyUse>();
  for (const { key, day = '', jobs, dollars } of costs) {
    if (key === undefined || (jobs === 0 && dollars.total === 0)) continue;
    const before = uses.get(key) ?? { lastDay: '', jobs: 0, dollars: 0, today: 0 };
    const isLater = day > before.lastDay;
    uses.set(key, {
      lastDay: isLater ? day : before.lastDay,
      jobs: before.jobs + jobs,
      dollars: before.dollars + dollars.total,
      today: before.today + (day === dayOf(now) ? dollars.total : 0),
    });
  }
  return uses;
}
