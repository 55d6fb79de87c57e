/** Compares the revision that the worker runs with the revision that its endpoint wants. */
import type { Clock } from '../../core/clock.ts';
import type { Endpoint } from '../../core/endpoints/endpoint.ts';
import { numberOf } from '../../core/endpoints/release.ts';

export interface RevisionWatcher {
  /**
   * Stores the revision that the endpoint wants. The agent passes each endpoint that it has read for another
   * purpose, so watching costs no read.
   */
  see(endpoint: Pick<Endpoint, 'release'> | undefined): void;
  /** Whether the last endpoint that was passed wants a revision other than the worker's. */
  isStale(): boolean;
  /** When the last endpoint was passed, in milliseconds since the epoch; before, when the watcher was created. */
  seenAt(): number;
}

/**
 * Compares the worker's revision with the one that its endpoint wants.
 * @param revision revision of the worker; without it, the worker is never stale
 */
export function createRevisionWatcher(clock: Clock, revision: number | undefined): RevisionWatcher {
  let wanted: number | undefined;
  let seenAt = clock.now();
  return {
    see(endpoint) {
      seenAt = clock.now();
      wanted = endpoint?.release && numberOf(endpoint.release.revision);
    },
    isStale: () => revision !== undefined && wanted !== undefined && wanted !== revision,
    seenAt: () => seenAt,
  };
}
