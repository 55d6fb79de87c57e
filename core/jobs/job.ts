/**
 * A job, as a discriminated union on `status`: a queued job has no worker, a completed one cannot have an error, and
 * the compiler knows. The schema is the one reader of stored jobs; `transitions.ts` is the one writer of `status`.
 */

import * as z from 'zod/mini';

/** Where the bytes of an input, output or error are: in the job itself, an item of the payload table, or an object. */
export const payloadRef = z.union([
  z.object({ inline: z.string() }),
  /** The item's name under the job, such as `output#2`. */
  z.object({ stored: z.string() }),
  /** The object's key. */
  z.object({ object: z.string() }),
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
  /** Who submitted it: the owner of the client key. */
  owner: z.string(),
  /** Such a job waits for workers that are there anyway; it never starts one. */
  lowPriority: z.boolean(),
  /** The queue's generation at submission; a purge raises the endpoint's and leaves older jobs behind. */
  generation: count,
  /** Starts so far. Every write of a worker names the attempt it is for. */
  attempt: count,
  /** The last attempt that may start before the job is given up; a retry moves it. */
  attemptLimit: count,
  /** How often the job came back to the queue because its worker was lost. */
  rescues: count,
  /** How often its client has retried it. */
  retries: count,
  acceptedAt: time,
  /** Start of the present wait: `acceptedAt`, or the last retry. */
  queuedAt: time,
  /** Longest wait in milliseconds (`policy.ttl`), and when the present wait ends. */
  queueTtl: duration,
  queueDeadline: time,
  /** Longest run in milliseconds (`policy.executionTimeout`, else the endpoint's). */
  executionTimeout: duration,
  /** How long the result is kept, in milliseconds. */
  retention: duration,
  /** Seconds since the epoch; DynamoDB's time-to-live removes the item some time later. */
  removeAfter: z.number().check(z.gte(0)),
  /** Whether its stream is drained, as its endpoint said at the submission; absent if not. */
  streamEnvelope: z.optional(z.boolean()),
  input: payloadRef,
  /** Where the sealed text of `s3Config` is, if the job has one. */
  s3Config: z.optional(payloadRef),
  /** Where the webhook URL is stored, if the job has one. */
  webhook: z.optional(payloadRef),
};

const started = { worker: z.string(), startedAt: time, executionDeadline: time };
const maybeStarted = {
  worker: z.optional(started.worker),
  startedAt: z.optional(time),
  executionDeadline: z.optional(time),
};
const finished = { finishedAt: time, expiresAt: time };
const output = { output: z.optional(payloadRef) };
/** How many chunks the last attempt streamed, once its worker has reported its end; absent if none. */
const chunks = { chunks: z.optional(count) };

const queued = z.object({ ...accepted, status: z.literal('IN_QUEUE') });
const running = z.object({ ...accepted, ...started, ...output, status: z.literal('IN_PROGRESS') });
const completed = z.object({
  ...accepted,
  ...started,
  ...finished,
  ...output,
  ...chunks,
  status: z.literal('COMPLETED'),
});
const failed = z.object({
  ...accepted,
  ...started,
  ...finished,
  ...output,
  ...chunks,
  status: z.literal('FAILED'),
  code: z.enum(['WORKER_ERROR', 'WORKER_LOST', 'OUTPUT_TOO_LARGE']),
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

/** Names one job: an id says nothing without its endpoint. */
export interface JobKey {
  readonly endpoint: string;
  readonly id: string;
}

/** A job before and after a change; neither is there before it is stored, or after it is removed. */
export interface JobChange {
  readonly sequence: string;
  readonly before?: Job;
  readonly after?: Job;
}
