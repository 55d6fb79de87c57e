/**
 * What an endpoint was told to run, and how far that has got. It is ours and not ECS's: ECS calls a deployment complete
 * that has all of no workers, and goes back to a revision that nobody has ever tried (docs/adr/0010).
 */
import * as z from 'zod/mini';
import { backOffLimits, SERVICE_LAG } from '../limits.ts';
import { isOtherLaunchType, launchTypeSchema } from './launch-type.ts';
import { type Deployment, numberOf } from './revisions.ts';

/** What a revision is made from. */
const sourceSchema = z.object({
  /** ARN of the blueprint. */
  blueprint: z.string(),
  /** Absent of an endpoint whose stack is of an older version: then all is in the blueprint. */
  template: z.optional(z.object({ id: z.string(), version: z.number() })),
});
export type ReleaseSource = z.infer<typeof sourceSchema>;

const targetSchema = z.extend(sourceSchema, {
  /** ARN of the task definition. */
  revision: z.string(),
  /** When it was released, and when it was complete, in milliseconds since the epoch; absent of one of an older version. */
  startedAt: z.optional(z.number()),
  endedAt: z.optional(z.number()),
  /** Absent of one of an older version. */
  launchType: z.optional(launchTypeSchema),
});
export type ReleaseTarget = z.infer<typeof targetSchema>;

const refusalSchema = z.extend(sourceSchema, {
  /** Absent if there was no task definition to be made from it. */
  revision: z.optional(z.string()),
  startedAt: z.number(),
  endedAt: z.number(),
  /** A sentence. */
  reason: z.string(),
});
export type Refusal = z.infer<typeof refusalSchema>;

export const releaseSchema = z.extend(targetSchema, {
  /** Raised by every change, so that of two writers at once one looks again. */
  edition: z.optional(z.number()),
  /** Absent of one of an older version, which counts as complete. */
  state: z.optional(z.enum(['IN_PROGRESS', 'COMPLETED'])),
  /** When all that follows from it was done, if it is: its service is told, the history written, revisions withdrawn. */
  settledAt: z.optional(z.number()),
  /**
   * The blueprint that the endpoint's record still names while its stack moves the service to another launch type. As long
   * as it does, the blueprint of the release counts in its place.
   */
  movesFrom: z.optional(z.string()),
  /** Whether a worker of it has asked for a job. */
  proven: z.optional(z.boolean()),
  /** The release that was on its way when this one came; until this one is settled. */
  supersedes: z.optional(targetSchema),
  /** The last one that was complete: what the service goes back to, while this one is on its way. */
  restore: z.optional(targetSchema),
  /** The last one that was rolled back. It is not tried again before its blueprint or its template is another. */
  refused: z.optional(refusalSchema),
});
export type Release = z.infer<typeof releaseSchema>;

export const isSameSource = (one: ReleaseSource, other: ReleaseSource): boolean =>
  one.blueprint === other.blueprint &&
  one.template?.id === other.template?.id &&
  one.template?.version === other.template?.version;

/** One of an older version has nothing to settle. */
export const isSettled = ({ state, settledAt }: Release): boolean => state === undefined || settledAt !== undefined;
export const isComplete = ({ state }: Release): boolean => state !== 'IN_PROGRESS';

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
export function unsettled({ settledAt: _, ...release }: Release): Release {
  return release;
}

/** Nothing can be made from it: what there is stays. */
export function refused(present: Release, source: ReleaseSource, reason: string, now: number): Release {
  const { blueprint, template } = source;
  return {
    ...unsettled(present),
    state: present.state ?? 'COMPLETED',
    refused: { blueprint, ...(template && { template }), startedAt: now, endedAt: now, reason },
  };
}

/** The settled one: what had to be done with those before it is done. */
export function settled({ supersedes: _, restore, ...release }: Release, now: number): Release {
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
  if (isTakenBack) return unsettled(release);
  if (!isOther && proven && deployment?.state === 'COMPLETED')
    return { ...unsettled(release), state: 'COMPLETED', endedAt: now, proven };
  return proven && !release.proven ? { ...release, proven } : undefined;
}
