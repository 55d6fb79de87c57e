import type { Clock } from '../clock.ts';
import { ledgerRepeats } from '../limits.ts';

/** The recent repetitions of each endpoint's changes. */
export interface Repeats {
  /** Whether the endpoint's changes may be repeated once more; it counts as repeated then. */
  take(endpoint: string): boolean;
}

/**
 * Bounds how often each endpoint may have its changes repeated. A passing fault of a table or of ECS is over by then.
 * An endpoint whose changes can never be recorded would hold up the stream of all endpoints for ever.
 */
export function createRepeats(clock: Pick<Clock, 'now'>): Repeats {
  const { most, within } = ledgerRepeats;
  const taken = new Map<string, readonly number[]>();
  return {
    take(endpoint) {
      const now = clock.now();
      const lately = (taken.get(endpoint) ?? []).filter((time) => now - time < within);
      const isLeft = lately.length < most;
      taken.set(endpoint, isLeft ? [...lately, now] : lately);
      return isLeft;
    },
  };
}
