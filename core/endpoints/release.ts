import * as z from 'zod/mini';

/** Returns the number of a revision within its family, which follows the last colon of its ARN. */
export const numberOf = (revision: string): number => Number(revision.slice(revision.lastIndexOf(':') + 1));

/** Largest number of a revision in ECS. */
export const MAX_REVISION = 2_147_483_647;

export const launchTypeSchema = z.enum(['EC2', 'FARGATE']);

export type LaunchType = z.infer<typeof launchTypeSchema>;

/** Returns whether both launch types are known and differ. */
export const isOtherLaunchType = (one: LaunchType | undefined, other: LaunchType | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

/** The blueprint and the template version that a revision combines. */
const sourceSchema = z.object({
  /** ARN of the blueprint. */
  blueprint: z.string(),
  template: z.object({ id: z.string(), version: z.number() }),
});

export type ReleaseSource = z.infer<typeof sourceSchema>;

const revisionSchema = z.extend(sourceSchema, {
  /** ARN of the task definition. */
  revision: z.string(),
  /** Absent if the task definition does not name exactly one. */
  launchType: z.optional(launchTypeSchema),
});

/** A revision that is registered in ECS, and its source. */
export type RegisteredRevision = z.infer<typeof revisionSchema>;

const targetSchema = z.extend(revisionSchema, {
  /** Start and completion of the release, in milliseconds since the epoch. */
  startedAt: z.number(),
  endedAt: z.optional(z.number()),
});

export type ReleaseTarget = z.infer<typeof targetSchema>;

const refusalSchema = z.extend(sourceSchema, {
  /** Absent if no task definition could be created from the source. */
  revision: z.optional(z.string()),
  startedAt: z.number(),
  endedAt: z.number(),
  /** Why the release was refused or rolled back, as a sentence. */
  reason: z.string(),
  /** Repositories from which the endpoint could pull when it was refused. Absent if the release began. */
  imageRepositories: z.optional(z.array(z.string())),
});

export type Refusal = z.infer<typeof refusalSchema>;

export const releaseSchema = z.extend(targetSchema, {
  /** Incremented by every change, so that one of two concurrent writers fails and reads the release again. */
  edition: z.number(),
  state: z.enum(['IN_PROGRESS', 'COMPLETED']),
  /**
   * Time at which the release was applied: the service runs the revision, the history is written, and other
   * revisions are deregistered.
   */
  settledAt: z.optional(z.number()),
  /**
   * The blueprint that the endpoint's configuration still names while its stack moves the service to another
   * launch type. Until the configuration changes, the release's blueprint replaces it.
   */
  movesFrom: z.optional(z.string()),
  /** Whether a worker of this release has asked for a job. */
  proven: z.optional(z.boolean()),
  /** The release that was in progress when this release began. Absent after this release is applied. */
  supersedes: z.optional(targetSchema),
  /** The last complete release, which the service restores if this release fails. */
  restore: z.optional(targetSchema),
  /** The last release that was rolled back. It is not repeated until its blueprint or template changes. */
  refused: z.optional(refusalSchema),
});

export type StoredRelease = z.infer<typeof releaseSchema>;

/** A release without the number of its edition, which the store of endpoints counts. */
export type Release = Omit<StoredRelease, 'edition'>;

export const isSameSource = (one: ReleaseSource, other: ReleaseSource): boolean =>
  one.blueprint === other.blueprint &&
  one.template.id === other.template.id &&
  one.template.version === other.template.version;

/** Returns whether the release is applied. */
export const isApplied = ({ settledAt }: Release): boolean => settledAt !== undefined;

export const isComplete = ({ state }: Release): boolean => state === 'COMPLETED';
