import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { follow } from '../releases/follow.ts';
import { type ReleasePorts, release, wantedOf } from '../releases/release.ts';
import { isComplete, isSameSource, isSettled } from '../releases/state.ts';
import type { Workers } from '../workers/lease.ts';

/**
 * Follows a release that is on its way, and begins one that nobody has begun: the change of a template was lost, or one
 * that was rolled back is to be tried again.
 */
export async function sweepReleases(
  ports: ReleasePorts & { readonly clock: Clock; readonly workers: Workers },
  endpoint: Endpoint,
): Promise<void> {
  const { id, family, blueprint, release: present } = endpoint;
  if (family === undefined || blueprint === undefined || !present) return;
  if (!isComplete(present) || !isSettled(present)) await follow(ports, id);
  const wanted = await wantedOf(ports, endpoint);
  const isTold = [present, ...(present.refused ? [present.refused] : [])].some((told) => isSameSource(told, wanted));
  if (!isTold) await release(ports, id);
}
