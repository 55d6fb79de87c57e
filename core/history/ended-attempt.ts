/** The history of attempts: one row for each attempt that ended although its job did not. */
import * as z from 'zod/mini';
import { type JobChange, requeueReasons } from '../jobs/job.ts';
import { TRACE } from '../jobs/trace.ts';
import { costSchema } from './cost.ts';

const count = z.int().check(z.gte(0));
const time = z.number().check(z.gte(0));

/**
 * An attempt after which the job was queued again. The last attempt of a job is in the row of its end. Times are in
 * milliseconds since the epoch.
 */
export const endedAttemptSchema = z.object({
  endpoint: z.string(),
  /** Id of the job. */
  id: z.string(),
  attempt: count,
  /** Times that the job was retried before. */
  retries: z._default(count, 0),
  worker: z.string(),
  revision: z.optional(count),
  startedAt: time,
  /** When the job was queued again. */
  endedAt: time,
  ...costSchema,
  /** Why the attempt ended; absent if an agent of an earlier version gave up the job. */
  reason: z.optional(z.enum(requeueReasons)),
  owner: z.string(),
  /** Id of the API key that submitted the job. */
  key: z.optional(z.string()),
  /** Trace of the request (`core/jobs/trace.ts`). */
  trace: z.optional(z.string().check(z.regex(TRACE))),
});
export type EndedAttempt = z.infer<typeof endedAttemptSchema>;

/** Returns the attempt that the change has ended without ending its job. */
export function attemptEndedBy({ before, after }: JobChange): EndedAttempt | undefined {
  if (before?.status !== 'IN_PROGRESS' || after?.status !== 'IN_QUEUE') return undefined;
  const { endpoint, id, attempt, retries, worker, revision, startedAt, owner, key, trace } = before;
  // The deadline of the new wait was computed from the time of its start.
  const endedAt = after.queueDeadline - after.queueTtl;
  return {
    endpoint,
    id,
    attempt,
    retries,
    worker,
    revision,
    startedAt,
    endedAt,
    workerTime: Math.max(0, endedAt - startedAt),
    reason: after.requeued,
    owner,
    key,
    trace,
  };
}
