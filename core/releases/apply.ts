import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import {
  isComplete,
  isOtherLaunchType,
  numberOf,
  type Refusal,
  type Release,
  type ReleaseTarget,
} from '../endpoints/release.ts';
import type { ReleaseState } from '../endpoints/release-summary.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { CONFLICT, conflictTries, retryOnConflict } from '../stored-items/conflicts.ts';
import { saveRestart } from '../workers/apply-facts.ts';
import type { Workers } from '../workers/lease.ts';
import { hasUnprotected } from '../workers/unprotected.ts';
import { type KeyedRelease, keyOf, keyOfRefused, type ReleaseHistory } from './history.ts';
import type { Revisions } from './revisions.ts';
import { applied, unapplied } from './transitions.ts';

export type ApplyPorts = {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly workers: Workers;
  readonly revisions: Pick<Revisions, 'currentDeployment' | 'deploy' | 'deregister' | 'list'>;
  readonly history: ReleaseHistory;
};

interface Ending {
  readonly endedAt?: number | undefined;
  readonly reason?: string | undefined;
}

function recordOf(release: ReleaseTarget, state: ReleaseState, { endedAt, reason }: Ending = {}): KeyedRelease {
  const { startedAt, template } = release;
  const revision = numberOf(release.revision);
  const source = { template: template.id, version: template.version };
  return { key: keyOf(revision), record: { state, revision, ...source, startedAt, endedAt, reason } };
}

function recordOfRefusal(refused: Refusal, release: Release): KeyedRelease {
  const { revision, blueprint, template, startedAt, endedAt, reason } = refused;
  if (revision !== undefined) return recordOf({ ...refused, revision }, 'ROLLED_BACK', { endedAt, reason });
  const key = keyOfRefused(numberOf(release.revision), numberOf(blueprint), template.version);
  const source = { template: template.id, version: template.version };
  return { key, record: { state: 'ROLLED_BACK', ...source, startedAt, endedAt, reason } };
}

/**
 * Applies the state of an endpoint's release to its service, its revisions and its history, then marks the
 * release as applied. Can run twice, and continues after a crash. The state of a release changes only after it is applied.
 *
 * Input: the endpoint as read. Output: whether the release was applied. If not, a later call has to apply it.
 *  1. If the service does not run the revision yet, check that it can. Stop if the stack still has to move the
 *     service to the launch type of the release, or if a worker holds an unprotected job.
 *  2. Deregister the superseded revision. After a rollback, deregister all revisions that are newer than the revision
 *     to run, up to the rolled-back revision. CloudFormation runs the newest revision of the family when it changes
 *     the service, so the revision to run must be the newest.
 *  3. Deploy the revision, unless the service already runs it.
 *  4. Write the history.
 *  5. If the release is in progress or another revision was rolled back, remove the failures of workers from the
 *     fleet state. A template that was refused before it had a revision ran no workers.
 */
export async function apply(ports: ApplyPorts, endpoint: Endpoint & { readonly release: Release }): Promise<boolean> {
  const { id, release } = endpoint;
  const { supersedes, refused } = release;
  const now = ports.clock.now();
  const deployment = await ports.revisions.currentDeployment(endpoint);
  const runs = deployment?.revision === release.revision;
  if (!runs && isOtherLaunchType(deployment?.launchType, release.launchType)) return false;
  if (!runs && hasUnprotected(await ports.workers.listNow(id), now)) return false;
  if (supersedes) await ports.revisions.deregister(supersedes.revision);
  if (refused?.revision) await deregisterAfter(ports, endpoint, release.revision, refused.revision);
  if (!runs) await ports.revisions.deploy(endpoint, release.revision);
  await write(ports.history, id, release);
  if (!isComplete(release) || refused?.revision !== undefined)
    await saveRestart(ports, id, { is: 'released', at: now });
  if (!(await ports.endpoints.setRelease(id, release, applied(release, now)))) await reapplyLater(ports, id, release);
  return true;
}

/**
 * Marks a later release to be applied again, because this release might have deployed its revision after the later
 * one. Also writes a later release that is not applied yet, so that an execution that has already deployed it cannot mark
 * it as applied.
 */
async function reapplyLater({ endpoints }: ApplyPorts, id: string, { revision }: Release): Promise<void> {
  await retryOnConflict(`the release of ${id}`, conflictTries.endpoint, async () => {
    const later = (await endpoints.readNow(id))?.release;
    if (!later || later.revision === revision) return true;
    return (await endpoints.setRelease(id, later, unapplied(later))) || CONFLICT;
  });
}

/**
 * Deregisters the revisions of the family after `kept`, up to `last`. If a release begins in the meantime, its
 * revision is newer than `last` and remains registered.
 */
async function deregisterAfter(
  { revisions }: ApplyPorts,
  { family }: Endpoint,
  kept: string,
  last: string,
): Promise<void> {
  const isBetween = (revision: string) => numberOf(revision) > numberOf(kept) && numberOf(revision) <= numberOf(last);
  for (const revision of (await revisions.list(family)).filter(isBetween)) await revisions.deregister(revision);
}

async function write(history: ReleaseHistory, id: string, release: Release): Promise<void> {
  const { supersedes, refused, restore } = release;
  if (supersedes) await history.end(id, recordOf(supersedes, 'SUPERSEDED', { endedAt: release.startedAt }));
  if (refused) await history.end(id, recordOfRefusal(refused, release));
  if (!isComplete(release)) return history.begin(id, recordOf(release, 'IN_PROGRESS'));
  await history.end(id, recordOf(release, 'COMPLETED', { endedAt: release.endedAt }));
  if (restore) await history.retire(id, keyOf(numberOf(restore.revision)));
}
