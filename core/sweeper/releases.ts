import type { Endpoint } from '../endpoints/endpoint.ts';
import { follow } from '../releases/follow.ts';
import { type ReleaseWorld, release, wantedOf } from '../releases/release.ts';
import { isComplete, isSameSource, isSettled } from '../releases/state.ts';
import type { World } from '../world.ts';

/**
 * Follows a release that is on its way, and begins one that nobody has begun: the change of a template was lost, or one
 * that was rolled back is to be tried again.
 */
export async function sweepReleases(
  world: ReleaseWorld & Pick<World, 'clock' | 'workers'>,
  endpoint: Endpoint,
): Promise<void> {
  const { id, family, blueprint, release: present } = endpoint;
  if (family === undefined || blueprint === undefined || !present) return;
  if (!isComplete(present) || !isSettled(present)) await follow(world, id);
  const wanted = await wantedOf(world, endpoint);
  const isTold = [present, ...(present.refused ? [present.refused] : [])].some((told) => isSameSource(told, wanted));
  if (!isTold) await release(world, id);
}
