import * as z from 'zod/mini';

/** The number of a revision within its family: what follows the last colon of its ARN. */
export const numberOf = (revision: string): number => Number(revision.slice(revision.lastIndexOf(':') + 1));

export const launchTypeSchema = z.enum(['EC2', 'FARGATE']);

export type LaunchType = z.infer<typeof launchTypeSchema>;

/** Whether both are known and differ. */
export const isOtherLaunchType = (one: LaunchType | undefined, other: LaunchType | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

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
export const isApplied = ({ state, settledAt }: Release): boolean => state === undefined || settledAt !== undefined;

export const isComplete = ({ state }: Release): boolean => state !== 'IN_PROGRESS';
