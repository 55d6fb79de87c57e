/** Deliveries of webhooks: one for each end of a job that was submitted with `webhook`. */
import * as z from 'zod/mini';
import { jobSchema } from '../jobs/job.ts';
import { MINUTE } from '../limits.ts';

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

/**
 * The metric of deliveries that are over, one sample each: 1 for one that has failed, 0 for one that was acknowledged. So
 * its average is the failure rate, its sum how many have failed, and its sample count how many there were.
 */
export const FAILURE_METRIC = 'WebhookFailures';

/** Whoever operates the service is told when so many percent of deliveries fail, if there are so many within the time. */
export const failureAlarm = { percent: 10, deliveries: 10, within: 15 * MINUTE } as const;
