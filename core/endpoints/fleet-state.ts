import * as z from 'zod/mini';

interface ConditionKind {
  /** What a worker has to reach to disprove it: a place to run, all of its containers running, a first question for jobs. */
  readonly until: 'placed' | 'running' | 'ready';
  /** Where `/health` counts the workers that are missing for it. */
  readonly counts: 'initializing' | 'throttled' | 'unhealthy';
  /** Whether to start more of them is pointless: several in a row make the endpoint back off. */
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
/** Those that are a reason to wait for something else than a start. */
export type Blocker = Exclude<ConditionName, 'STARTING'>;

export const conditionSchema = z.object({
  is: z.enum(Object.keys(conditionKinds) as [ConditionName, ...ConditionName[]]),
  /** The provider's, cut and without what may be secret; empty where it says nothing. */
  words: z.string(),
  /** When it was first and last said, in milliseconds since the epoch. */
  since: z.number(),
  at: z.number(),
  /** Id of the task that it was said of, if it was one. */
  task: z.optional(z.string()),
});
export type Condition = z.infer<typeof conditionSchema>;

/** More than AWS's sentences have, and less than what an item or a log should be filled with. */
const LONGEST_WORDS = 300;

/**
 * Words that come from outside, fit for clients: one line, cut, without credentials in addresses. A registry's address
 * may be signed, and errors quote it.
 */
export function asWords(text: string): string {
  const line = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to go.
    .replace(/[\u0000-\u001f\u007f\s]+/g, ' ')
    .replace(/(\w+:\/\/)[^\s/@"']*@/g, '$1')
    .replace(/(\w+:\/\/[^\s?"'<>]+)\?[^\s"'<>]*/g, '$1?…')
    .trim();
  return line.length > LONGEST_WORDS ? `${line.slice(0, LONGEST_WORDS - 1)}…` : line;
}

export const fleetSchema = z.object({
  /** Counts the changes, so that of two writers at once one looks again. */
  version: z.number(),
  condition: z.optional(conditionSchema),
  /** Tasks that failed one after the other without one that became ready, the oldest first. */
  failed: z.array(
    z.object({
      task: z.string(),
      at: z.number(),
      /** Number of the revision that it ran, if that is known. */
      revision: z.optional(z.number()),
      /** Of the last one: why, as a sentence. A worker of another revision that is ready disproves the condition. */
      why: z.optional(z.string()),
    }),
  ),
  backOff: z.optional(
    z.object({
      /** How often it was decided to wait, since a worker was ready. */
      tries: z.number(),
      /** When one worker is tried again, in milliseconds since the epoch. */
      until: z.number(),
    }),
  ),
  /** What happened until then counts no more: a worker was ready, or something else was released. */
  freshSince: z.number(),
});

export type FleetState = z.infer<typeof fleetSchema>;

export const unknownFleet: FleetState = { version: 0, failed: [], freshSince: 0 };
