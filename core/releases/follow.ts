import type { Endpoint } from '../endpoints/endpoint.ts';
import { conditionKinds } from '../endpoints/fleet-state.ts';
import { isApplied, isComplete, numberOf, type Release } from '../endpoints/release.ts';
import { conflictTries } from '../stored-items/conflicts.ts';
import { isAlive, type Lease } from '../workers/lease.ts';
import { type ApplyPorts, apply } from './apply.ts';
import { nextOf } from './transitions.ts';

/**
 * Follows a release in progress until it is complete or rolled back.
 *
 * Input: endpoint id; whether the caller has seen a ready worker of the release. Output: whether a release was
 * applied, so that the number of workers might have to change.
 *  1. Apply the state of the release if it is not applied yet.
 *  2. For a release in progress, read the service's deployment, its ready workers and its failed workers.
 *  3. Store the next state, and repeat from step 1.
 */
export async function follow(ports: ApplyPorts, id: string, wasReady = false): Promise<boolean> {
  let moved = false;
  for (let tries = 0; tries < conflictTries.endpoint; tries += 1) {
    const endpoint = await ports.endpoints.readNow(id);
    const release = endpoint?.release;
    if (!endpoint || !release) return moved;
    if (!isApplied(release)) {
      if (!(await apply(ports, { ...endpoint, release }))) return moved;
      moved = true;
      continue;
    }
    if (isComplete(release)) return moved;
    const next = nextOf(release, await progressOf(ports, endpoint, release, wasReady), ports.clock.now());
    if (!next) return moved;
    await ports.endpoints.setRelease(id, release, next);
  }
  throw new Error(`The release of ${id} changed concurrently during ${conflictTries.endpoint} attempts to follow it.`);
}

async function progressOf(ports: ApplyPorts, endpoint: Endpoint, release: Release, wasReady: boolean) {
  const { condition, failed } = endpoint.fleet;
  const revision = numberOf(release.revision);
  const failures = failed.filter((failure) => failure.revision === revision);
  const now = ports.clock.now();
  const leases = release.proven ? [] : await ports.workers.list(endpoint.id);
  return {
    deployment: await ports.revisions.currentDeployment(endpoint),
    failures: failures.length,
    isReady: wasReady || leases.some((lease) => isAlive(lease, now) && isReadyOf(lease, release, revision)),
    reason:
      condition && conditionKinds[condition.is].countsAsFailure
        ? conditionKinds[condition.is].message(condition.words)
        : failures.at(-1)?.why,
  };
}

/**
 * Returns whether the worker is ready and belongs to the release. A worker whose revision is unknown belongs to it if
 * it became ready after the start of the release.
 */
function isReadyOf({ readySince, revision: its }: Lease, { startedAt }: Release, revision: number): boolean {
  if (typeof readySince !== 'number') return false;
  return its === undefined ? readySince > startedAt : its === revision;
}
