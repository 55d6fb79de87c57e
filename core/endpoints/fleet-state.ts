import * as z from 'zod/mini';

interface ConditionKind {
  /** The state of a worker that disproves it: it has a place, all of its containers run, or it has asked for a job. */
  readonly until: 'placed' | 'running' | 'ready';
  /** The count of `/health` to which the missing workers belong. */
  readonly counts: 'initializing' | 'throttled' | 'unhealthy';
  /** Whether more starts are pointless: several such failures in a row make the endpoint back off. */
  readonly futile: boolean;
  /** The sentence for people, with the provider's words. */
  readonly says: (words: string) => string;
}

export const conditionKinds = {
  STARTING: {
    until: 'ready',
    counts: 'initializing',
    futile: false,
    says: () => 'A worker has got its place and starts.',
  },
  NO_CAPACITY: {
    until: 'placed',
    counts: 'throttled',
    futile: false,
    says: (words) => `The provider has no capacity for a worker: ${words}`,
  },
  QUOTA: {
    until: 'placed',
    counts: 'throttled',
    futile: false,
    says: (words) => `A quota of the AWS account allows no more workers: ${words}`,
  },
  IMAGE_UNAVAILABLE: {
    until: 'running',
    counts: 'unhealthy',
    futile: true,
    says: (words) => `An image of the worker cannot be pulled: ${words}`,
  },
  CANNOT_START: {
    until: 'running',
    counts: 'unhealthy',
    futile: true,
    says: (words) => `The worker cannot be started: ${words}`,
  },
  WORKER_EXITS: {
    until: 'ready',
    counts: 'unhealthy',
    futile: true,
    says: (words) => `The worker ends before it asks for a job: ${words}`,
  },
  WORKER_UNHEALTHY: {
    until: 'ready',
    counts: 'unhealthy',
    futile: true,
    says: (words) => `The worker is unhealthy: ${words}`,
  },
} as const satisfies Record<string, ConditionKind>;

export type ConditionName = keyof typeof conditionKinds;
/** The conditions in which no worker is starting. */
export type Blocker = Exclude<ConditionName, 'STARTING'>;

export const conditionSchema = z.object({
  is: z.enum(Object.keys(conditionKinds) as [ConditionName, ...ConditionName[]]),
  /** The provider's message, cut and without possible secrets; empty if there is none. */
  words: z.string(),
  /** When it was first and last reported, in milliseconds since the epoch. */
  since: z.number(),
  at: z.number(),
  /** Id of the task that it concerns, if any. */
  task: z.optional(z.string()),
});
export type Condition = z.infer<typeof conditionSchema>;

/** Longer than AWS's messages, and short enough for an item or a log. */
const LONGEST_WORDS = 300;

/**
 * Makes an external message fit for clients: one line, cut, without credentials in addresses. A registry's address may
 * be signed, and errors quote it.
 */
export function asWords(text: string): string {
  const line = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are to be removed.
    .replace(/[\u0000-\u001f\u007f\s]+/g, ' ')
    .replace(/(\w+:\/\/)[^\s/@"']*@/g, '$1')
    .replace(/(\w+:\/\/[^\s?"'<>]+)\?[^\s"'<>]*/g, '$1?…')
    .trim();
  return line.length > LONGEST_WORDS ? `${line.slice(0, LONGEST_WORDS - 1)}…` : line;
}

export const fleetSchema = z.object({
  /** Counts the changes, so that of two writers at once one reads again. */
  version: z.number(),
  condition: z.optional(conditionSchema),
  /** Tasks that failed one after the other, without a ready one between them, the oldest first. */
  failed: z.array(
    z.object({
      task: z.string(),
      at: z.number(),
      /** Number of the revision that it ran, if that is known. */
      revision: z.optional(z.number()),
      /** Why the last one failed, as a sentence. A ready worker of another revision disproves the condition. */
      why: z.optional(z.string()),
    }),
  ),
  backOff: z.optional(
    z.object({
      /** Number of waits since a worker was ready. */
      tries: z.number(),
      /** When one worker is tried again, in milliseconds since the epoch. */
      until: z.number(),
    }),
  ),
  /** Facts until then no longer count: a worker was ready, or another revision was released. */
  freshSince: z.number(),
});

export type FleetState = z.infer<typeof fleetSchema>;

export const unknownFleet: FleetState = { version: 0, failed: [], freshSince: 0 };
