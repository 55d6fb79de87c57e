import { conflictTries } from '../conflicts.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { conditionKinds } from '../endpoints/fleet-state.ts';
import { isApplied, isComplete, numberOf, type Release } from '../endpoints/release.ts';
import { isAlive, type Lease } from '../workers/lease.ts';
import { type ApplyPorts, apply } from './apply.ts';
import { nextOf } from './state.ts';

/**
 * Follows a release in progress until it is complete or rolled back.
 *
 * Input: endpoint id; whether the caller has seen a ready worker of the release. Output: whether a release was applied,
 * so that another number of workers may be needed.
 *  1. Apply a state of the release that is not applied yet.
 *  2. For a release in progress, read the service's deployment, the workers that are ready, and those that have failed.
 *  3. Store the next state, and begin again.
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
  throw new Error(`Others have written what ${id} runs, ${conflictTries.endpoint} times.`);
}

async function progressOf(ports: ApplyPorts, endpoint: Endpoint, release: Release, wasReady: boolean) {
  const { condition, failed } = endpoint.fleet;
  const revision = numberOf(release.revision);
  const failures = failed.filter((failure) => failure.revision === revision);
  const now = ports.clock.now();
  const leases = release.proven ? [] : await ports.workers.list(endpoint.id);
  return {
    deployment: await ports.revisions.running(endpoint),
    failures: failures.length,
    isReady: wasReady || leases.some((lease) => isAlive(lease, now) && isReadyOf(lease, release, revision)),
    reason:
      condition && conditionKinds[condition.is].futile
        ? conditionKinds[condition.is].says(condition.words)
        : failures.at(-1)?.why,
  };
}

/**
 * Whether the worker is ready and of the release. An older agent reports no revision: its start after the release
 * counts.
 */
function isReadyOf({ readySince, revision: its }: Lease, { startedAt = 0 }: Release, revision: number): boolean {
  if (typeof readySince !== 'number') return false;
  return its === undefined ? readySince > startedAt : its === revision;
}
