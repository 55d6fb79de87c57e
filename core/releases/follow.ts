import type { Endpoint } from '../endpoints/endpoint.ts';
import { conditionKinds } from '../endpoints/fleet-state.ts';
import { isApplied, isComplete, numberOf, type Release } from '../endpoints/release.ts';
import { isAlive, type Lease } from '../workers/lease.ts';
import { type ApplyPorts, apply } from './apply.ts';
import { nextOf } from './state.ts';

/** Of writers at once, each sees what the others have written and looks again. */
const TRIES = 10;

/**
 * Follows a release that is on its way: whether it is complete, or has to be rolled back.
 *
 * Input: endpoint id; whether somebody has seen that a worker of the release was ready. Output: whether something else
 * runs than before, so that other workers may be asked for.
 *  1. Do what is left to do of what was decided before.
 *  2. Of a release on its way, look at what ECS says of the service, which workers are ready, and which have failed.
 *  3. Note what becomes of it, and begin again.
 */
export async function follow(ports: ApplyPorts, id: string, wasReady = false): Promise<boolean> {
  let moved = false;
  for (let tries = 0; tries < TRIES; tries += 1) {
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
  throw new Error(`Others have written what ${id} runs, ${TRIES} times.`);
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

/** An agent of an older version does not say of which revision it is: then it counts if it came after the release. */
function isReadyOf({ readySince, revision: its }: Lease, { startedAt = 0 }: Release, revision: number): boolean {
  if (typeof readySince !== 'number') return false;
  return its === undefined ? readySince > startedAt : its === revision;
}
