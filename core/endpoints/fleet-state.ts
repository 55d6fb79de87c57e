import * as z from 'zod/mini';

interface ConditionKind {
  /**
   * The state of a worker that disproves the condition: it is placed, all of its containers run, or it has asked
   * for a job.
   */
  readonly until: 'placed' | 'running' | 'ready';
  /** The counter of `/health` that includes the missing workers. */
  readonly counts: 'initializing' | 'throttled' | 'unhealthy';
  /** Whether another worker would fail the same way: several such failures in a row make the endpoint back off. */
  readonly countsAsFailure: boolean;
  /** Returns the message for users. `detail` is a message of AWS or a sentence of this service. */
  readonly message: (detail: string) => string;
  /** Sentences that say what helps. `docs/guides/waiting.md` has the details. */
  readonly remedy: string;
}

export const conditionKinds = {
  STARTING: {
    until: 'ready',
    counts: 'initializing',
    countsAsFailure: false,
    message: () => 'A worker is starting.',
    remedy: 'Wait. A smaller image starts sooner, and `minWorkers` keeps workers ready.',
  },
  NO_CAPACITY: {
    until: 'placed',
    counts: 'throttled',
    countsAsFailure: false,
    message: (detail) => `The provider has no capacity for a worker: ${detail}`,
    remedy: 'Wait: ECS retries. Other sizes or Availability Zones might have capacity.',
  },
  QUOTA: {
    until: 'placed',
    counts: 'throttled',
    countsAsFailure: false,
    message: (detail) => `A quota of the AWS account does not allow more workers: ${detail}`,
    remedy: 'Raise the quota that the message names in Service Quotas, or lower `maxWorkers` of other endpoints.',
  },
  IMAGE_UNAVAILABLE: {
    until: 'running',
    counts: 'unhealthy',
    countsAsFailure: true,
    message: (detail) => `An image of the worker cannot be pulled: ${detail}`,
    remedy: "Compare the image's name and the registry's permissions with the message, and deploy.",
  },
  CANNOT_START: {
    until: 'running',
    counts: 'unhealthy',
    countsAsFailure: true,
    message: (detail) => `The worker cannot be started: ${detail}`,
    remedy: 'Correct what the message names, and deploy.',
  },
  WORKER_EXITS: {
    until: 'ready',
    counts: 'unhealthy',
    countsAsFailure: true,
    message: (detail) => `The worker exits before it asks for a job: ${detail}`,
    remedy: "Read the log of the worker's container. The message contains its exit code.",
  },
  WORKER_UNHEALTHY: {
    until: 'ready',
    counts: 'unhealthy',
    countsAsFailure: true,
    message: (detail) => `The worker is unhealthy: ${detail}`,
    remedy: 'Read the logs of both containers. If the server is only slow, raise `http.startTimeout`.',
  },
} as const satisfies Record<string, ConditionKind>;

export type ConditionName = keyof typeof conditionKinds;
/** The conditions in which no worker is starting. */
export type Blocker = Exclude<ConditionName, 'STARTING'>;

export const conditionSchema = z.object({
  is: z.enum(Object.keys(conditionKinds) as [ConditionName, ...ConditionName[]]),
  /** The detail of the message, truncated and without possible secrets; empty if there is none. */
  words: z.string(),
  /** Times of the first and the last report, in milliseconds since the epoch. */
  since: z.number(),
  at: z.number(),
  /**
   * Id of the task that starts or that failed before it was ready. Absent for a worker that had been ready, and for a
   * condition of no particular task.
   */
  task: z.optional(z.string()),
});
export type Condition = z.infer<typeof conditionSchema>;

/**
 * Maximum length of the detail of a message: longer than AWS's messages, and short enough for an item or a log line.
 */
const MAX_DETAIL_LENGTH = 300;

/** What ECS writes around the cause if it cannot read a secret. With an ARN, the cause would be beyond the maximum. */
const AROUND_CAUSE =
  /unable to pull secrets or registry auth: execution resource retrieval failed: |service call has been retried \d{1,9} time\(s\): /g;

/** Cuts the query of a URL. A text without a query is returned unchanged. */
function withoutQuery(url: string): string {
  const scheme = url.indexOf('://');
  const query = scheme > 0 ? url.indexOf('?', scheme) : -1;
  return query < 0 ? url : `${url.slice(0, query)}?…`;
}

/**
 * Returns an external message as one truncated line without credentials in URLs, safe to show to clients.
 * Errors quote the URL of a registry, which can be signed.
 */
export function sanitizeDetail(text: string): string {
  const line = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are to be removed.
    .replace(/[\u0000-\u001f\u007f\s]+/g, ' ')
    .replace(AROUND_CAUSE, '')
    .replace(/(?<!\w)(\w+:\/\/)[^\s/@"']*@/g, '$1')
    .replace(/[^\s"'<>]+/g, withoutQuery)
    .trim();
  return line.length > MAX_DETAIL_LENGTH ? `${line.slice(0, MAX_DETAIL_LENGTH - 1).toWellFormed()}…` : line;
}

export const fleetSchema = z.object({
  /** Incremented by every change, so that one of two concurrent writers fails and reads the state again. */
  version: z.number(),
  condition: z.optional(conditionSchema),
  /** Consecutive failed tasks since a worker was last ready, oldest first. */
  failed: z.array(
    z.object({
      task: z.string(),
      at: z.number(),
      /** Number of the revision that the task ran, if known. */
      revision: z.optional(z.number()),
      /**
       * Why the last task failed, as a sentence. A ready worker of another revision does not remove this reason.
       */
      why: z.optional(z.string()),
    }),
  ),
  backOff: z.optional(
    z.object({
      /** Number of pauses since a worker was last ready. */
      tries: z.number(),
      /** Time of the next attempt to start one worker, in milliseconds since the epoch. */
      until: z.number(),
    }),
  ),
  /** Facts up to this time no longer count, because another revision was released. */
  freshSince: z.number(),
});

export type FleetState = z.infer<typeof fleetSchema>;

export const unknownFleet: FleetState = { version: 0, failed: [], freshSince: 0 };

/** Returns why the last worker failed, as a sentence. */
export const lastFailure = ({ failed }: FleetState): string | undefined => failed.at(-1)?.why;
