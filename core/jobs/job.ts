/**
 * A job, as a discriminated union on `status`: the type of a queued job has no worker, that of a completed job no
 * error. Stored jobs are only read by this schema, and `status` is only written by `transitions.ts`.
 */

import * as z from 'zod/mini';
import { TRACE } from './trace.ts';

/**
 * Location of the bytes of an input, output or error: the job itself, an item of the payload table, or an object.
 */
export const payloadRef = z.union([
  z.object({ inline: z.string() }),
  /** The item's name under the job, such as `output#2`. `bytes` is absent if an earlier version stored the payload. */
  z.object({ stored: z.string(), bytes: z.optional(z.int().check(z.gte(0))) }),
  /** The object's key. */
  z.object({ object: z.string(), bytes: z.optional(z.int().check(z.gte(0))) }),
]);
export type PayloadRef = z.infer<typeof payloadRef>;

const count = z.int().check(z.gte(0));
/** Milliseconds. */
const duration = z.number().check(z.gte(0));
/** Milliseconds since the epoch. */
const time = duration;

const accepted = {
  endpoint: z.string(),
  id: z.string(),
  kind: z.enum(['run', 'runsync']),
  /** The owner of the client key that submitted the job. */
  owner: z.string(),
  /** Id of the API key that submitted the job; absent if a user did, whose name is the owner. */
  key: z.optional(z.string()),
  /** Trace of the request (`trace.ts`); absent if it had none, or if the item would exceed a write unit. */
  trace: z.optional(z.string().check(z.regex(TRACE))),
  /** Whether the job waits for workers that run for normal jobs, and never starts a worker itself. */
  lowPriority: z.boolean(),
  /**
   * The endpoint's generation at submission. A purge raises the endpoint's generation and thereby cancels older
   * jobs.
   */
  generation: count,
  /** Number of starts so far. Every write of a worker contains its attempt number. */
  attempt: count,
  /** Number of the last attempt before the job fails; a retry raises it. */
  attemptLimit: count,
  /** Number of times that the job was requeued because its worker was lost or gave it up. */
  rescues: count,
  /** Number of retries by clients. */
  retries: count,
  acceptedAt: time,
  /** Start of the current wait: `acceptedAt`, or the last retry. */
  queuedAt: time,
  /** Longest wait in milliseconds (`policy.ttl`), and the deadline of the current wait. */
  queueTtl: duration,
  queueDeadline: time,
  /** Longest run in milliseconds (`policy.executionTimeout`, otherwise the endpoint's). */
  executionTimeout: duration,
  /** Retention of the result, in milliseconds. */
  retention: duration,
  /** Seconds since the epoch, after which DynamoDB's time-to-live removes the item. */
  removeAfter: z.number().check(z.gte(0)),
  /**
   * Whether `/stream` returns each chunk once, as the endpoint's configuration set at submission; absent if not.
   */
  streamEnvelope: z.optional(z.boolean()),
  input: payloadRef,
  /** Where the sealed `s3Config` is stored, if the job has one. */
  s3Config: z.optional(payloadRef),
  /** Where the webhook URL is stored, if the job has one. */
  webhook: z.optional(payloadRef),
};

/**
 * Whether the worker of the current or last attempt returns the chunks of a job as its output, set when it takes the
 * job; absent if it does not, or if it has not completed a stream yet.
 */
const aggregates = { aggregates: z.optional(z.boolean()) };
/** Revision that the worker of the current or last attempt runs; absent if its agent does not know it. */
const revision = { revision: z.optional(count) };
const started = { worker: z.string(), startedAt: time, executionDeadline: time, ...revision, ...aggregates };
const maybeStarted = {
  worker: z.optional(started.worker),
  startedAt: z.optional(time),
  executionDeadline: z.optional(time),
  ...revision,
  ...aggregates,
};
const finished = { finishedAt: time, expiresAt: time };
const output = { output: z.optional(payloadRef) };
/** Set when the worker reports the end of the job. */
const reported = {
  /** Number of chunks that the last attempt streamed; absent if none. */
  chunks: z.optional(count),
  /**
   * The last attempt's share of its worker's time, in whole milliseconds: of n jobs that run at once, each has one nth.
   * Absent if the agent does not measure it, or if the item would exceed a write unit.
   */
  workerTime: z.optional(count),
};

/**
 * Why an attempt ended and the job was queued again: the lease of its worker ended, its worker stopped, or its worker
 * still ran but gave the job up, such as after the process of its handler had ended.
 */
export const requeueReasons = ['WORKER_LOST', 'WORKER_STOPPED', 'GIVEN_UP'] as const;
export type RequeueReason = (typeof requeueReasons)[number];

const queued = z.object({
  ...accepted,
  status: z.literal('IN_QUEUE'),
  /** Why the last attempt ended; absent if the job waits for its first attempt, or after a retry. */
  requeued: z.optional(z.enum(requeueReasons)),
});
const running = z.object({ ...accepted, ...started, ...output, status: z.literal('IN_PROGRESS') });
const completed = z.object({
  ...accepted,
  ...started,
  ...finished,
  ...output,
  ...reported,
  status: z.literal('COMPLETED'),
});
const failed = z.object({
  ...accepted,
  ...started,
  ...finished,
  ...output,
  ...reported,
  status: z.literal('FAILED'),
  code: z.enum(['WORKER_ERROR', 'WORKER_LOST', 'OUTPUT_TOO_LARGE', 'RESULT_NOT_REPORTED']),
  error: payloadRef,
});
const cancelled = z.object({
  ...accepted,
  ...maybeStarted,
  ...finished,
  status: z.literal('CANCELLED'),
  code: z.enum(['CANCELLED', 'PURGED']),
});
const timedOut = z.object({
  ...accepted,
  ...maybeStarted,
  ...finished,
  status: z.literal('TIMED_OUT'),
  code: z.enum(['QUEUE_TTL_EXPIRED', 'EXECUTION_TIMEOUT']),
});

export const jobSchema = z.discriminatedUnion('status', [queued, running, completed, failed, cancelled, timedOut]);

export type Job = z.infer<typeof jobSchema>;
export type QueuedJob = z.infer<typeof queued>;
export type RunningJob = z.infer<typeof running>;
export type JobStatus = Job['status'];
export type JobKind = Job['kind'];

export const jobStatuses: readonly JobStatus[] = [
  'IN_QUEUE',
  'IN_PROGRESS',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'TIMED_OUT',
];

/** Identifies one job: an id is unique only within its endpoint. */
export interface JobKey {
  readonly endpoint: string;
  readonly id: string;
}

/**
 * Identifies one marker: a purge writes it into each partition of the jobs table when no process uses the generation
 * any longer that the purge has ended.
 */
export interface PurgeMarker {
  readonly endpoint: string;
  readonly partition: string;
  /** The generation that the purge has ended. */
  readonly generation: number;
}

/**
 * A job before and after a change, or the marker of a purge. `before` is absent for a new job, `after` for a removed
 * job, and both for a marker.
 */
export interface JobChange {
  readonly sequence: string;
  /** When the change was stored, in milliseconds since the epoch; absent if the stream does not say it. */
  readonly at?: number | undefined;
  readonly before?: Job | undefined;
  readonly after?: Job | undefined;
  readonly marker?: PurgeMarker;
}
