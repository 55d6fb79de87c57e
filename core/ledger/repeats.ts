import type { Clock } from '../clock.ts';
import { ledgerRepeats } from '../limits.ts';

/** The recent repetitions of each endpoint's changes. */
export interface Repeats {
  /** Returns whether the endpoint's changes may be repeated once more, and counts the repetition. */
  take(endpoint: string): boolean;
}

/**
 * Limits how often each endpoint's changes are repeated. The limit is sufficient for a temporary fault of a table
 * or of ECS. Without it, an endpoint whose changes can never be recorded would block the stream of all endpoints.
 */
export function createRepeats(clock: Pick<Clock, 'now'>): Repeats {
  const { max, within } = ledgerRepeats;
  const taken = new Map<string, readonly number[]>();
  return {
    take(endpoint) {
      const now = clock.now();
      const lately = (taken.get(endpoint) ?? []).filter((time) => now - time < within);
      const isLeft = lately.length < max;
      taken.set(endpoint, isLeft ? [...lately, now] : lately);
      return isLeft;
    },
  };
}
