import { isComplete, isOtherLaunchType, numberOf, type Release, type ReleaseSource, type ReleaseTarget } from '../endpoints/release.ts';
import { backOffLimits, SERVICE_LAG } from '../limits.ts';
import type { Deployment } from './revisions.ts';

const targetOf = ({ revision, blueprint, template, startedAt, endedAt, launchType }: ReleaseTarget): ReleaseTarget => ({
  revision,
  blueprint,
  ...(template && { template }),
  ...(startedAt !== undefined && { startedAt }),
  ...(endedAt !== undefined && { endedAt }),
  ...(launchType && { launchType }),
});

/**
 * A service can go back only to a revision of its launch type: a release of another one has nothing to go back to.
 * @param present what it takes the place of, if there is anything
 */
export function begun(present: Release | undefined, target: ReleaseTarget, now: number): Release {
  const last = present && isComplete(present) ? targetOf(present) : present?.restore;
  const restore = isOtherLaunchType(last?.launchType, target.launchType) ? undefined : last;
  const movesFrom = present?.blueprint === target.blueprint ? present.movesFrom : undefined;
  return {
    ...target,
    startedAt: now,
    state: 'IN_PROGRESS',
    ...(present && !isComplete(present) && { supersedes: targetOf(present) }),
    ...(restore && { restore }),
    ...(movesFrom !== undefined && { movesFrom }),
  };
}

/** What follows from it is to be done, or to be done again. */
export function unapplied({ settledAt: _, ...release }: Release): Release {
  return release;
}

/** Nothing can be made from it: what there is stays. */
export function refused(present: Release, source: ReleaseSource, reason: string, now: number): Release {
  const { blueprint, template } = source;
  return {
    ...unapplied(present),
    state: present.state ?? 'COMPLETED',
    refused: { blueprint, ...(template && { template }), startedAt: now, endedAt: now, reason },
  };
}

/** The settled one: what had to be done with those before it is done. */
export function applied({ supersedes: _, restore, ...release }: Release, now: number): Release {
  return { ...release, settledAt: now, ...(restore && !isComplete(release) && { restore }) };
}

/** What is known of a release that is on its way. */
export interface Progress {
  readonly deployment: Deployment | undefined;
  /** How many of its workers have failed, one after the other, before they asked for a job. */
  readonly failures: number;
  /** Whether a worker of it is ready, or was. */
  readonly isReady: boolean;
  /** Why workers do not come, as a sentence, if that is known. */
  readonly reason: string | undefined;
}

const FAILED = 'ECS has taken the deployment back, because its workers did not start.';

function rolledBack(release: Release, restore: ReleaseTarget, reason: string, now: number): Release {
  const { revision, blueprint, template, startedAt = now } = release;
  return {
    ...restore,
    state: 'COMPLETED',
    refused: { revision, blueprint, ...(template && { template }), startedAt, endedAt: now, reason },
  };
}

/**
 * What becomes of a release that is on its way: it is complete when ECS says so and a worker of it is ready. It is rolled
 * back when ECS has gone back, or as many of its workers have failed as make an endpoint back off, whichever is known
 * first. The first release of an endpoint has nothing to go back to: then it is tried on.
 * @returns nothing if it stays as it is
 */
export function nextOf(release: Release, progress: Progress, now: number): Release | undefined {
  const { deployment, failures, isReady, reason = FAILED } = progress;
  const { settledAt = now, restore, proven = isReady } = release;
  const isOther = deployment !== undefined && deployment.revision !== release.revision;
  // What is newer was told by hand: ECS goes back, and never on.
  const isOlder = isOther && numberOf(deployment.revision) < numberOf(release.revision);
  const isTakenBack = isOlder && now - settledAt >= SERVICE_LAG;
  const hasFailed = isTakenBack || (!isOther && deployment?.state === 'FAILED') || failures >= backOffLimits.failures;
  if (hasFailed && restore) return rolledBack(release, restore, reason, now);
  // What ECS has gone back to was never to run: it is told again.
  if (isTakenBack) return unapplied(release);
  if (!isOther && proven && deployment?.state === 'COMPLETED')
    return { ...unapplied(release), state: 'COMPLETED', endedAt: now, proven };
  return proven && !release.proven ? { ...release, proven } : undefined;
}
