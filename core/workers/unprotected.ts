/**
 * Work without protection. ECS protects no more tasks than the service desires, so while a release replaces workers
 * that all have jobs, the workers of the release cannot be protected. They may take jobs all the same: ECS stops a task
 * of the newest deployment only if fewer tasks are desired or another deployment begins, and the service is asked for
 * neither while such a worker is at work (docs/adr/0012).
 *
 * Both sides write before they read, so at least one of them sees the other. The worker stores in its lease that it
 * works unprotected, then reads the endpoint. Scaler and release store in the endpoint what they are about to do, then
 * read the leases.
 */
import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { isComplete, numberOf } from '../endpoints/release.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { SCALE_IN_LASTS } from '../limits.ts';
import { isAlive, type Lease, type Workers } from './lease.ts';

/**
 * Whether a worker that ECS refuses to protect may take jobs: its revision is the one that a release is rolling out,
 * and no scale-in is under way.
 * @param endpoint read after the worker's lease has said `WORKS`
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

/** Whether one of the workers may hold a job that ECS does not protect. */
export const hasUnprotected = (leases: readonly Lease[], now: number): boolean =>
  leases.some((lease) => lease.unprotected === 'WORKS' && isAlive(lease, now));

/**
 * Whether the service may run fewer workers.
 * @param leases of the endpoint's workers, read after the endpoint
 */
export async function mayScaleIn(
  { clock, endpoints, workers }: { readonly clock: Clock; readonly endpoints: Endpoints; readonly workers: Workers },
  { id, release }: Pick<Endpoint, 'id' | 'release'>,
  leases: readonly Lease[],
): Promise<boolean> {
  if (hasUnprotected(leases, clock.now())) return false;
  // No worker begins to work unprotected after its release is complete.
  if (!release || isComplete(release)) return true;
  await endpoints.setScaleIn(id, clock.now());
  return !hasUnprotected(await workers.listNow(id), clock.now());
}
