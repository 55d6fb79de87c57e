/** Compares the revision that the worker runs with the one that its endpoint wants. */
import type { Endpoint } from '../../core/endpoints/endpoint.ts';
import { numberOf } from '../../core/endpoints/release.ts';

export interface RevisionWatcher {
  /** Keeps what the endpoint wants. The agent passes each endpoint that it reads anyway, so watching costs no read. */
  see(endpoint: Pick<Endpoint, 'release'> | undefined): void;
  /** Whether the endpoint that was seen last wants another revision than the worker's. */
  isStale(): boolean;
}

/** @param revision the worker's own; a worker without one is never stale */
export function createRevisionWatcher(revision: number | undefined): RevisionWatcher {
  let wanted: number | undefined;
  return {
    see(endpoint) {
      wanted = endpoint?.release && numberOf(endpoint.release.revision);
    },
    isStale: () => revision !== undefined && wanted !== undefined && wanted !== revision,
  };
}
