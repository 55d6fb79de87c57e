/** Deliveries of webhooks: one for each end of a job that was submitted with `webhook`. */
import * as z from 'zod/mini';
import { type Job, type JobKey, jobSchema } from '../jobs/job.ts';
import { REMOVE_AFTER, SECOND } from '../limits.ts';

/** Names one delivery. */
export interface DeliveryKey extends JobKey {
  /**
   * Which end of the job it tells of: how often the job had been retried by then. An attempt does not tell: a job that is
   * retried and then waits too long has ended twice in the same one.
   */
  readonly completion: number;
}

export const deliverySchema = z.object({
  state: z.enum(['PENDING', 'DELIVERED', 'FAILED']),
  /** How often the receiver was called, in this round: each try is claimed before. */
  attempts: z.number(),
  /** How often it was sent again by hand. */
  round: z.number(),
  /** The HTTP status that the receiver answered last, if it did. */
  lastStatus: z.optional(z.number()),
  /** Why the last try was none, in a sentence. */
  lastError: z.optional(z.string()),
  /** Until when nobody but its holder may make the next try, in milliseconds since the epoch. */
  leaseEnds: z.optional(z.number()),
  /** When it failed for good, in milliseconds since the epoch. */
  failedAt: z.optional(z.number()),
  /** The job as it was then, kept when it was retried before all tries were made. */
  job: z.optional(jobSchema),
});
export type Delivery = z.infer<typeof deliverySchema>;

/** What is known before the first try. */
export const notTried: Delivery = { state: 'PENDING', attempts: 0, round: 0 };

/** What a try has come to. */
export type TryOutcome =
  | { readonly state: 'DELIVERED'; readonly lastStatus: number }
  | { readonly state: 'PENDING' | 'FAILED'; readonly lastStatus?: number; readonly lastError: string };

/** Who removes a whole queue does not want a call for each job in it. */
const isPurged = (job: Job) => job.status === 'CANCELLED' && job.code === 'PURGED';

/** The delivery that the job's present end calls for, if it has ended and any is wanted. */
export function deliveryOf(job: Job): DeliveryKey | undefined {
  if (job.webhook === undefined || !('finishedAt' in job) || isPurged(job)) return undefined;
  return { endpoint: job.endpoint, id: job.id, completion: job.retries };
}

/** `webhook-id`: the same for every try of one delivery, and of no other one. Endpoint and job ids have no full stops. */
export const messageId = ({ endpoint, id, completion }: DeliveryKey): string => `msg_${endpoint}_${id}_${completion}`;

/** When nobody asks for it any more, in seconds since the epoch. */
export const deliveryRemoval = (now: number, job: Pick<Job, 'removeAfter'>): number =>
  Math.max(job.removeAfter, Math.ceil((now + REMOVE_AFTER) / SECOND));
