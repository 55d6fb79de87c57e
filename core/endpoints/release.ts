import * as z from 'zod/mini';

/** Returns the number of a revision within its family: the text after the last colon of its ARN. */
export const numberOf = (revision: string): number => Number(revision.slice(revision.lastIndexOf(':') + 1));

export const launchTypeSchema = z.enum(['EC2', 'FARGATE']);

export type LaunchType = z.infer<typeof launchTypeSchema>;

/** Whether both are known and differ. */
export const isOtherLaunchType = (one: LaunchType | undefined, other: LaunchType | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

/** The source of a revision. */
const sourceSchema = z.object({
  /** ARN of the blueprint. */
  blueprint: z.string(),
  /** Absent if the endpoint's stack is of an older version: then the blueprint has all settings. */
  template: z.optional(z.object({ id: z.string(), version: z.number() })),
});

export type ReleaseSource = z.infer<typeof sourceSchema>;

const targetSchema = z.extend(sourceSchema, {
  /** ARN of the task definition. */
  revision: z.string(),
  /**
   * When it began and when it was complete, in milliseconds since the epoch; absent from a release of an older version.
   */
  startedAt: z.optional(z.number()),
  endedAt: z.optional(z.number()),
  /** Absent from a release of an older version. */
  launchType: z.optional(launchTypeSchema),
});

export type ReleaseTarget = z.infer<typeof targetSchema>;

const refusalSchema = z.extend(sourceSchema, {
  /** Absent if no task definition could be made from it. */
  revision: z.optional(z.string()),
  startedAt: z.number(),
  endedAt: z.number(),
  /** A sentence. */
  reason: z.string(),
});

export type Refusal = z.infer<typeof refusalSchema>;

export const releaseSchema = z.extend(targetSchema, {
  /** Raised by every change, so that of two writers at once one reads again. */
  edition: z.optional(z.number()),
  /** Absent from a release of an older version, which counts as complete. */
  state: z.optional(z.enum(['IN_PROGRESS', 'COMPLETED'])),
  /** When it was applied: its service runs the revision, the history is written, other revisions are withdrawn. */
  settledAt: z.optional(z.number()),
  /**
   * The blueprint that the endpoint's configuration still names while its stack moves the service to another launch
   * type. As long as it does, the blueprint of the release replaces it.
   */
  movesFrom: z.optional(z.string()),
  /** Whether a worker of it has asked for a job. */
  proven: z.optional(z.boolean()),
  /** The release that was in progress when this one began; until this one is applied. */
  supersedes: z.optional(targetSchema),
  /** The last complete release, which the service restores if this one fails. */
  restore: z.optional(targetSchema),
  /** The last one that was rolled back. It is not tried again before its blueprint or its template changes. */
  refused: z.optional(refusalSchema),
});

export type Release = z.infer<typeof releaseSchema>;

export const isSameSource = (one: ReleaseSource, other: ReleaseSource): boolean =>
  one.blueprint === other.blueprint &&
  one.template?.id === other.template?.id &&
  one.template?.version === other.template?.version;

/** Whether the release is applied. One of an older version always is. */
export const isApplied = ({ state, settledAt }: Release): boolean => state === undefined || settledAt !== undefined;

export const isComplete = ({ state }: Release): boolean => state !== 'IN_PROGRESS';
