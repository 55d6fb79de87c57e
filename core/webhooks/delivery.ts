/** Deliveries of webhooks: one for each end of a job that was submitted with `webhook`. */
import * as z from 'zod/mini';
import { jobSchema } from '../jobs/job.ts';
import { MINUTE } from '../limits.ts';

export const deliverySchema = z.object({
  state: z.enum(['PENDING', 'DELIVERED', 'FAILED']),
  /** Claimed attempts of this round: each attempt is claimed before the receiver is called. */
  attempts: z.number(),
  /** How often a client has sent it again. */
  round: z.number(),
  /** The HTTP status that the receiver answered last, if it did. */
  lastStatus: z.optional(z.number()),
  /** Why the last attempt failed, in a sentence. */
  lastError: z.optional(z.string()),
  /** Until when only its holder may make the next attempt, in milliseconds since the epoch. */
  leaseEnds: z.optional(z.number()),
  /** When it failed for good, in milliseconds since the epoch. */
  failedAt: z.optional(z.number()),
  /** The job as it was at its end, kept if it was retried before the delivery was over. */
  job: z.optional(jobSchema),
});

export type Delivery = z.infer<typeof deliverySchema>;

/** A delivery before its first attempt. */
export const notAttempted: Delivery = { state: 'PENDING', attempts: 0, round: 0 };

/** The outcome of an attempt. */
export type AttemptOutcome =
  | { readonly state: 'DELIVERED'; readonly lastStatus: number }
  | { readonly state: 'PENDING' | 'FAILED'; readonly lastStatus?: number; readonly lastError: string };

/**
 * The metric of deliveries that are over, one sample each: 1 for a failed delivery, 0 for an acknowledged one. So its
 * average is the failure rate, its sum the number of failures, and its sample count the number of deliveries.
 */
export const FAILURE_METRIC = 'WebhookFailures';

/** The alarm notifies the operator if `percent` of at least `deliveries` deliveries fail within `within` ms. */
export const failureAlarm = { percent: 10, deliveries: 10, within: 15 * MINUTE } as const;
