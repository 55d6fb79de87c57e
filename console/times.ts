/** Absolute times in the zone that the user has set. */
import { useMemo } from 'react';
import { usePreferences } from './preference-store.ts';
import { dateAndTime, type Instant, inOtherZone, timeOfDay } from './time-format.ts';

export interface Times {
  /** Such as `2026-11-23 08:14:02`. */
  readonly dateAndTime: (at: Instant) => string;
  /** Such as `08:14:02`. */
  readonly timeOfDay: (at: Instant) => string;
  /** The same instant in the other of local time and UTC, with its name, for a title. */
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
