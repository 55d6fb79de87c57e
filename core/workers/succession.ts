/**
 * Which worker takes a job while a release replaces workers: ready workers of the wanted revision come first, and
 * workers that the service no longer needs take no more jobs.
 *
 * The rule needs only facts that leases contain exactly: a lease is written when its worker becomes ready, and deleted
 * when the worker stops. Whether a ready worker has room would be up to `BEAT` old. The age of a message shows it
 * instead: a message that waits is one that no worker with room has taken.
 */
import type { Endpoint } from '../endpoints/endpoint.ts';
import { numberOf } from '../endpoints/release.ts';
import { isAlive, isRefused, isStarting, type Lease } from './lease.ts';

/**
 * Which messages a worker takes:
 *  - `EQUAL`: any.
 *  - `SECOND`: those that the workers of the wanted revision have not taken within `NEWER_FIRST`.
 *  - `BUDGET_SPENT`: none, because the endpoint has spent its budget of today.
 *  - `SUPERSEDED`: none. The other ready workers are as many as the service is to run, so ECS can stop this worker.
 */
export type Precedence = 'EQUAL' | 'SECOND' | 'BUDGET_SPENT' | 'SUPERSEDED';

/**
 * Age of a message, in milliseconds, until which a stale worker leaves it to ready workers of the wanted revision, and
 * interval at which the stale worker asks for older messages. A ready worker with room takes a message within about
 * 100 ms. While only some workers are replaced, jobs for which no new worker has room wait for this time.
 */
export const NEWER_FIRST = 500;

/** Returns whether the worker is ready and takes jobs. */
const takesJobs = (lease: Lease, now: number): boolean =>
  isAlive(lease, now) && !isStarting(lease) && !isRefused(lease) && !lease.retiring && !lease.silent;

/** Orders workers without a job before workers with jobs, because ECS can stop them sooner. */
const inOrderOfStop = (one: Lease, other: Lease): number =>
  Math.sign(one.jobs.length) - Math.sign(other.jobs.length) || (one.worker < other.worker ? -1 : 1);

/**
 * Returns the precedence of a worker of a stale revision. All workers that read the same leases agree which of them are
 * superseded, so the others remain.
 * @param leases of the endpoint's workers
 * @param worker id of the stale worker
 * @param now milliseconds since the epoch
 */
export function precedenceOf(
  { release, desiredWorkers, minWorkers }: Pick<Endpoint, 'desiredWorkers' | 'minWorkers' | 'release'>,
  leases: readonly Lease[],
  worker: string,
  now: number,
): Precedence {
  const wanted = release && numberOf(release.revision);
  const ready = leases.filter((lease) => takesJobs(lease, now));
  const stale = ready.filter(({ revision }) => revision !== wanted).sort(inOrderOfStop);
  if (stale.length === ready.length) return 'EQUAL';
  const unneeded = Math.max(0, ready.length - (desiredWorkers ?? minWorkers));
  return stale.slice(0, unneeded).some((lease) => lease.worker === worker) ? 'SUPERSEDED' : 'SECOND';
}
