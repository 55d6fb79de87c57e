/** Watches what the endpoint wants of its workers: another revision, or no work because its budget is spent. */
import type { Clock } from '../../core/clock.ts';
import type { Endpoint } from '../../core/endpoints/endpoint.ts';
import { numberOf } from '../../core/endpoints/release.ts';
import { isBudgetSpent } from '../../core/endpoints/spending.ts';

export interface RevisionWatcher {
  /**
   * Stores the revision that the endpoint wants, and its budget. The agent passes each endpoint that it has read for another
   * purpose, so watching costs no read.
   */
  see(endpoint: Pick<Endpoint, 'maxDollarsPerDay' | 'release' | 'spending'> | undefined): void;
  /** Whether the last endpoint that was passed wants a revision other than the worker's. */
  isStale(): boolean;
  /** Whether the last endpoint that was passed has spent its budget of today. */
  isBudgetSpent(): boolean;
  /** When the last endpoint was passed, in milliseconds since the epoch; before, when the watcher was created. */
  seenAt(): number;
}

/**
 * Compares the worker's revision with the one that its endpoint wants.
 * @param revision revision of the worker; without it, the worker is never stale
 */
export function createRevisionWatcher(clock: Clock, revision: number | undefined): RevisionWatcher {
  let wanted: number | undefined;
  let budget: Pick<Endpoint, 'maxDollarsPerDay' | 'spending'> = {};
  let seenAt = clock.now();
  return {
    see(endpoint) {
      seenAt = clock.now();
      wanted = endpoint?.release && numberOf(endpoint.release.revision);
      budget = { maxDollarsPerDay: endpoint?.maxDollarsPerDay, spending: endpoint?.spending };
    },
    isStale: () => revision !== undefined && wanted !== undefined && wanted !== revision,
    isBudgetSpent: () => isBudgetSpent(budget, clock.now()),
    seenAt: () => seenAt,
  };
}
