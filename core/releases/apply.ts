import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { isApplied, isComplete, isOtherLaunchType, numberOf, type Refusal, type Release, type ReleaseTarget } from '../endpoints/release.ts';
import type { ReleaseState } from '../endpoints/release-summary.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { saveFact } from '../workers/facts.ts';
import type { Workers } from '../workers/lease.ts';
import { hasUnprotected } from '../workers/unprotected.ts';
import { type KeyedRelease, keyOf, keyOfRefused, type ReleaseHistory } from './history.ts';
import type { Revisions } from './revisions.ts';
import { applied, unapplied } from './state.ts';

export type ApplyPorts = { readonly clock: Clock; readonly endpoints: Endpoints; readonly workers: Workers } & {
  readonly revisions: Pick<Revisions, 'deploy' | 'list' | 'running' | 'withdraw'>;
  readonly history: ReleaseHistory;
};

interface Ending {
  readonly endedAt?: number | undefined;
  readonly reason?: string | undefined;
}

function recordOf(release: ReleaseTarget, state: ReleaseState, { endedAt, reason }: Ending = {}): KeyedRelease {
  const { startedAt, template } = release;
  const revision = numberOf(release.revision);
  const source = template && { template: template.id, version: template.version };
  return { key: keyOf(revision), record: { state, revision, ...source, startedAt, endedAt, reason } };
}

function recordOfRefusal(refused: Refusal, release: Release): KeyedRelease {
  const { revision, blueprint, template, startedAt, endedAt, reason } = refused;
  if (revision !== undefined) return recordOf({ ...refused, revision }, 'ROLLED_BACK', { endedAt, reason });
  const key = keyOfRefused(numberOf(release.revision), numberOf(blueprint), template?.version);
  const source = template && { template: template.id, version: template.version };
  return { key, record: { state: 'ROLLED_BACK', ...source, startedAt, endedAt, reason } };
}

/**
 * Does what follows from the state of an endpoint's release, and notes that it is done. To do it twice, or to go on where
 * it broke off, changes nothing; nothing else becomes of the release before.
 *
 * Input: the endpoint as it was read. Output: whether it was done; if not, it has to be done later.
 *  1. If the service is to run something else, wait until it can: its stack may still have to move it to the launch type of
 *     the release, and a worker may hold a job that ECS does not protect.
 *  2. Withdraw the revisions that were superseded or rolled back, with all between them and the one to run: a change of the
 *     service by CloudFormation runs the newest of the family, and that has to be this one.
 *  3. Have the service run it, unless it does.
 *  4. Write the history.
 *  5. Forget why workers failed, if something else is to run.
 */
export async function apply(ports: ApplyPorts, endpoint: Endpoint & { readonly release: Release }): Promise<boolean> {
  const { id, release } = endpoint;
  const { supersedes, refused } = release;
  const now = ports.clock.now();
  const running = await ports.revisions.running(endpoint);
  const runs = running?.revision === release.revision;
  if (!runs && isOtherLaunchType(running?.launchType, release.launchType)) return false;
  if (!runs && hasUnprotected(await ports.workers.listNow(id), now)) return false;
  if (supersedes) await ports.revisions.withdraw(supersedes.revision);
  if (refused?.revision) await withdrawAfter(ports, endpoint, release.revision, refused.revision);
  if (!runs) await ports.revisions.deploy(endpoint, release.revision);
  await write(ports.history, id, release);
  if (!isComplete(release) || refused) await saveFact(ports, id, { is: 'released', at: now });
  if (!(await ports.endpoints.setRelease(id, release, applied(release, now)))) await reapplyLater(ports, id, release);
  return true;
}

/** A release that came while this one was settled may have told the service before this one did: it has to tell it again. */
async function reapplyLater({ endpoints }: ApplyPorts, id: string, { revision }: Release): Promise<void> {
  const later = (await endpoints.readNow(id))?.release;
  if (later && isApplied(later) && later.revision !== revision) await endpoints.setRelease(id, later, unapplied(later));
}

/** Those of the family from the one after `kept` to `last`. A release that comes meanwhile is newer than both. */
async function withdrawAfter(
  { revisions }: ApplyPorts,
  { family }: Endpoint,
  kept: string,
  last: string,
): Promise<void> {
  if (family === undefined) return;
  const isBetween = (revision: string) => numberOf(revision) > numberOf(kept) && numberOf(revision) <= numberOf(last);
  for (const revision of (await revisions.list(family)).filter(isBetween)) await revisions.withdraw(revision);
}

async function write(history: ReleaseHistory, id: string, release: Release): Promise<void> {
  const { supersedes, refused, restore } = release;
  if (supersedes) await history.end(id, recordOf(supersedes, 'SUPERSEDED', { endedAt: release.startedAt }));
  if (refused) await history.end(id, recordOfRefusal(refused, release));
  if (!isComplete(release)) return history.begin(id, recordOf(release, 'IN_PROGRESS'));
  await history.end(id, recordOf(release, 'COMPLETED', release));
  if (restore) await history.retire(id, keyOf(numberOf(restore.revision)));
}
