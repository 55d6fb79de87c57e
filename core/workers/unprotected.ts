/**
 * Jobs without protection. ECS does not protect more tasks than the service's desired count, so the workers of a
 * release cannot be protected while all workers that they replace have jobs. They can still take jobs: ECS stops a
 * task of the newest deployment only after a scale-in or another deployment, neither of which begins while such a
 * worker has jobs (docs/adr/0012).
 *
 * Both sides write before they read, so at least one of them sees the other's write. The worker stores in its
 * lease that it works unprotected, then reads the endpoint. Scaler and release store their intention in the
 * endpoint, then read the leases.
 */
import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { isComplete, numberOf } from '../endpoints/release.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { SCALE_IN_LASTS } from '../limits.ts';
import { isAlive, type Lease, type Workers } from './lease.ts';

/**
 * Returns whether a worker without protection can take jobs: a release is rolling out its revision, and no
 * scale-in is in progress.
 * @param endpoint read after `WORKS` was stored in the worker's lease
 * @param revision number of the worker's revision
 * @param now milliseconds since the epoch
 */
export function mayWorkUnprotected(
  { release, scaleInAt }: Pick<Endpoint, 'release' | 'scaleInAt'>,
  revision: number,
  now: number,
): boolean {
  if (!release || isComplete(release) || numberOf(release.revision) !== revision) return false;
  return scaleInAt === undefined || now - scaleInAt > SCALE_IN_LASTS;
}

/** Returns whether one of the workers might hold a job without ECS protection. */
export const hasUnprotected = (leases: readonly Lease[], now: number): boolean =>
  leases.some((lease) => lease.unprotected === 'WORKS' && isAlive(lease, now));

/**
 * Returns whether the service can run fewer workers. During a release, first stores the start of a scale-in.
 * @param leases of the endpoint's workers, read after the endpoint
 */
export async function mayScaleIn(
  { clock, endpoints, workers }: { readonly clock: Clock; readonly endpoints: Endpoints; readonly workers: Workers },
  { id, release }: Pick<Endpoint, 'id' | 'release'>,
  leases: readonly Lease[],
): Promise<boolean> {
  if (hasUnprotected(leases, clock.now())) return false;
  // Workers only begin to work unprotected before their release is complete.
  if (!release || isComplete(release)) return true;
  await endpoints.setScaleIn(id, clock.now());
  return !hasUnprotected(await workers.listNow(id), clock.now());
}
