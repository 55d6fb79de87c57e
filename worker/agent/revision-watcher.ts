/** Compares the worker's revision with the wanted one. Costs no read: it looks at what the agent reads of its endpoint. */

import type { Endpoints } from '../../core/endpoints/store.ts';
import { numberOf } from '../../core/releases/revisions.ts';
import type { Release } from '../../core/releases/state.ts';

export interface RevisionWatcher<Part> {
  /** The same ports; the agent must read its endpoint through them. */
  readonly ports: Part;
  /** Whether the last read showed another revision than the worker's. */
  isStale(): boolean;
}

/** @param revision the worker's own; a worker without one is never stale */
export function watchRevision<Part extends { readonly endpoints: Endpoints }>(
  ports: Part,
  revision: number | undefined,
): RevisionWatcher<Part> {
  let release: Release | undefined;
  const { endpoints } = ports;
  async function read(id: string) {
    const endpoint = await endpoints.read(id);
    release = endpoint?.release;
    return endpoint;
  }
  const value = Object.create(endpoints, { read: { value: read } });
  return {
    ports: Object.create(ports, { endpoints: { value } }) as Part,
    isStale: () => revision !== undefined && release !== undefined && numberOf(release.revision) !== revision,
  };
}
