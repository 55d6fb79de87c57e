/** Formats absolute times in the time zone that the user has chosen. */
import { useMemo } from 'react';
import { usePreferences } from './preference-store.ts';
import { dateAndTime, type Instant, inOtherZone, timeOfDay } from './time-format.ts';

export interface Times {
  /** Such as `2026-11-23 08:14:02`. */
  readonly dateAndTime: (at: Instant) => string;
  /** Such as `08:14:02`. */
  readonly timeOfDay: (at: Instant) => string;
  /**
   * Formats the instant in UTC, or in local time if the page shows UTC, with the name of the zone. Used for titles.
   */
  readonly title: (at: Instant) => string;
}

export function useTimes(): Times {
  const { zone } = usePreferences();
  return useMemo(
    () => ({
      dateAndTime: (at) => dateAndTime(at, zone),
      timeOfDay: (at) => timeOfDay(at, zone),
      title: (at) => inOtherZone(at, zone),
    }),
    [zone],
  );
}
