import {
  isComplete,
  isOtherLaunchType,
  numberOf,
  type Refusal,
  type RegisteredRevision,
  type Release,
  type ReleaseSource,
  type ReleaseTarget,
} from '../endpoints/release.ts';
import { backOffLimits, SERVICE_LAG } from '../limits.ts';
import type { Deployment } from './revisions.ts';

const targetOf = ({ revision, blueprint, template, startedAt, endedAt, launchType }: ReleaseTarget): ReleaseTarget => ({
  revision,
  blueprint,
  template,
  startedAt,
  ...(endedAt !== undefined && { endedAt }),
  ...(launchType && { launchType }),
});

/**
 * Returns a new release. A service can roll back only to a revision of its launch type, so after a change of the
 * launch type there is no release to restore.
 * @param present the release to replace, if any
 */
export function begun(present: Release | undefined, target: RegisteredRevision, now: number): Release {
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

/** Returns the release marked as not applied, so that it is applied again. */
export function unapplied({ settledAt: _, ...release }: Release): Release {
  return release;
}

/** A source that the endpoint cannot run, with the repositories from which it can pull. */
export type RefusedSource = ReleaseSource & Required<Pick<Refusal, 'imageRepositories'>>;

/** Returns the current release with a refused source, from which no revision can be created. */
export function refused(present: Release, source: RefusedSource, reason: string, now: number): Release {
  const { blueprint, template, imageRepositories } = source;
  return {
    ...unapplied(present),
    refused: { blueprint, template, imageRepositories, startedAt: now, endedAt: now, reason },
  };
}

/** Returns the release marked as applied. Its predecessors are deregistered and in the history. */
export function applied({ supersedes: _, restore, ...release }: Release, now: number): Release {
  return { ...release, settledAt: now, ...(restore && !isComplete(release) && { restore }) };
}

/** The observed progress of a release. */
export interface Progress {
  readonly deployment: Deployment | undefined;
  /** Number of the release's consecutive workers that failed before they asked for a job. */
  readonly failures: number;
  /** Whether a worker of the release is or was ready. */
  readonly isReady: boolean;
  /** Why the release's workers do not become ready, as a sentence, if known. */
  readonly reason: string | undefined;
}

const FAILED = 'ECS rolled back the deployment, because its workers did not start.';

function rolledBack(release: Release, restore: ReleaseTarget, reason: string, now: number): Release {
  const { revision, blueprint, template, startedAt } = release;
  return {
    ...restore,
    state: 'COMPLETED',
    refused: { revision, blueprint, template, startedAt, endedAt: now, reason },
  };
}

/**
 * Returns the next state of a release in progress, or undefined if its state does not change. The release is
 * complete when ECS reports completion and one of its workers is ready. The release is rolled back when ECS has
 * rolled back, or when `backOffLimits.failures` of its workers have failed. The first release of an endpoint
 * continues, because there is no release to restore.
 */
export function nextOf(release: Release, progress: Progress, now: number): Release | undefined {
  const { deployment, failures, isReady, reason = FAILED } = progress;
  const { settledAt = now, restore, proven = isReady } = release;
  const isOther = deployment !== undefined && deployment.revision !== release.revision;
  // ECS only rolls back to an older revision. A newer revision was set manually.
  const isOlder = isOther && numberOf(deployment.revision) < numberOf(release.revision);
  const isRolledBack = isOlder && now - settledAt >= SERVICE_LAG;
  const hasFailed = isRolledBack || (!isOther && deployment?.state === 'FAILED') || failures >= backOffLimits.failures;
  if (hasFailed && restore) return rolledBack(release, restore, reason, now);
  // Deploy the release again, because ECS has rolled back to a revision that should not run.
  if (isRolledBack) return unapplied(release);
  if (!isOther && proven && deployment?.state === 'COMPLETED')
    return { ...unapplied(release), state: 'COMPLETED', endedAt: now, proven };
  return proven && !release.proven ? { ...release, proven } : undefined;
}
