/** Overhears, in what the agent reads of its endpoint anyway, what workers are to run. */
import { numberOf } from '../core/releases/revisions.ts';
import type { Release } from '../core/releases/state.ts';
import type { World } from '../core/world.ts';

export interface Overheard<Part> {
  /** To read by. */
  readonly world: Part;
  /** Whether the endpoint is to run another revision than this worker's, as far as was read. */
  isOutdated(): boolean;
}

/** @param revision the worker's own; without it, it is never outdated */
export function overhear<Part extends Pick<World, 'endpoints'>>(
  world: Part,
  revision: number | undefined,
): Overheard<Part> {
  let release: Release | undefined;
  const { endpoints } = world;
  async function read(id: string) {
    const endpoint = await endpoints.read(id);
    release = endpoint?.release;
    return endpoint;
  }
  const value = Object.create(endpoints, { read: { value: read } });
  return {
    world: Object.create(world, { endpoints: { value } }) as Part,
    isOutdated: () => revision !== undefined && release !== undefined && numberOf(release.revision) !== revision,
  };
}
