/** The history of jobs: one row for each end of a job, without its input and output. */
import * as z from 'zod/mini';
import type { Job, JobChange, PayloadRef } from '../jobs/job.ts';
import { TRACE } from '../jobs/trace.ts';
import { costSchema } from './cost.ts';

/** Statuses with which a job ends. */
export const endStatuses = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'] as const;

const count = z.int().check(z.gte(0));
const time = z.number().check(z.gte(0));

/**
 * The end of a job. A job that is retried has a row for each of its ends. Times are in milliseconds since the epoch,
 * sizes in bytes.
 */
export const endedJobSchema = z.object({
  endpoint: z.string(),
  id: z.string(),
  status: z.enum(endStatuses),
  code: z.optional(z.string()),
  /** First line of the error, at most `historyLimits.error` bytes. */
  error: z.optional(z.string()),
  /** Equal for errors that differ only by numbers and ids. */
  fingerprint: z.optional(z.string()),
  owner: z.string(),
  /** Id of the API key that submitted the job; absent if a user did, whose name is the owner. */
  key: z.optional(z.string()),
  lowPriority: z.optional(z.literal(true)),
  /** The worker of the last attempt, and the revision that it ran. */
  worker: z.optional(z.string()),
  revision: z.optional(count),
  acceptedAt: time,
  /** Start of the wait: the submission, or the last retry. */
  queuedAt: time,
  startedAt: z.optional(time),
  finishedAt: time,
  attempts: count,
  rescues: count,
  retries: count,
  inputBytes: z.optional(count),
  outputBytes: z.optional(count),
  /** Trace of the request (`core/jobs/trace.ts`). */
  trace: z.optional(z.string().check(z.regex(TRACE))),
  /** Of the last attempt. */
  ...costSchema,
});
export type EndedJob = z.infer<typeof endedJobSchema>;

/** Returns whether the job failed or exceeded its time. */
export const isFailure = ({ status }: Pick<EndedJob, 'status'>): boolean =>
  status === 'FAILED' || status === 'TIMED_OUT';

/** The end of a job with the time at which it was stored, for the ends that are stored with an earlier time. */
export const lateJobSchema = z.extend(endedJobSchema, { storedAt: time });
export type LateJob = z.infer<typeof lateJobSchema>;

/** Codes of ends whose time is a deadline or a purge, which can be long before they are stored. */
const pastCodes: readonly string[] = ['QUEUE_TTL_EXPIRED', 'EXECUTION_TIMEOUT', 'PURGED'];

/** Returns whether the time of the end is earlier than the time at which it was stored. */
export const endsInThePast = ({ code }: Pick<EndedJob, 'code'>): boolean =>
  code !== undefined && pastCodes.includes(code);

const isEnded = (job: Job | undefined): job is Extract<Job, { finishedAt: number }> =>
  job !== undefined && 'finishedAt' in job;

/** Returns the job if the change has ended it. A later change of its expiry is not an end. */
export function endedBy({ before, after }: JobChange): Extract<Job, { finishedAt: number }> | undefined {
  if (!isEnded(after)) return undefined;
  return isEnded(before) && before.finishedAt === after.finishedAt ? undefined : after;
}

function bytesOf(ref: PayloadRef | undefined): number | undefined {
  if (ref === undefined) return undefined;
  return 'inline' in ref ? Buffer.byteLength(ref.inline) : ref.bytes;
}

function workerTimeOf(job: Extract<Job, { finishedAt: number }>): number | undefined {
  if ('workerTime' in job && job.workerTime !== undefined) return job.workerTime;
  return job.startedAt === undefined ? undefined : Math.max(0, job.finishedAt - job.startedAt);
}

/** Returns the row of a job that has ended, without its error and its dollars. */
export function rowOf(job: Extract<Job, { finishedAt: number }>): EndedJob {
  const { endpoint, id, status, owner, key, acceptedAt, queuedAt, finishedAt, rescues, retries } = job;
  return {
    endpoint,
    id,
    status,
    ...('code' in job && { code: job.code }),
    owner,
    key,
    ...(job.lowPriority && { lowPriority: true }),
    worker: job.worker,
    revision: job.revision,
    acceptedAt,
    queuedAt,
    startedAt: job.startedAt,
    finishedAt,
    attempts: job.attempt,
    rescues,
    retries,
    inputBytes: bytesOf(job.input),
    ...('output' in job && { outputBytes: bytesOf(job.output) }),
    trace: job.trace,
    workerTime: workerTimeOf(job),
  };
}
