/** Webhook deliveries: one for each completion of a job that was submitted with `webhook`. */
import * as z from 'zod/mini';
import { jobSchema } from '../jobs/job.ts';
import { MINUTE } from '../limits.ts';

export const deliverySchema = z.object({
  state: z.enum(['PENDING', 'DELIVERED', 'FAILED']),
  /**
   * Number of claimed attempts since the delivery was created or last sent again. Each attempt is claimed before
   * the call.
   */
  attempts: z.number(),
  /** Number of times that a client sent the delivery again. */
  round: z.number(),
  /** Last HTTP status of the receiver, if it responded. */
  lastStatus: z.optional(z.number()),
  /** Why the last attempt failed, as a sentence. */
  lastError: z.optional(z.string()),
  /** Origin of the webhook's URL, of a delivery whose last attempt failed. */
  receiver: z.optional(z.string()),
  /** Until when only the holder of the claim may make the next attempt, in milliseconds since the epoch. */
  leaseEnds: z.optional(z.number()),
  /** When the delivery FAILED, in milliseconds since the epoch. */
  failedAt: z.optional(z.number()),
  /** Copy of the job at the time of its end, if it was retried before the delivery finished. */
  job: z.optional(jobSchema),
});

export type Delivery = z.infer<typeof deliverySchema>;

/** The states of a webhook that a job record shows. A purged job has no delivery, because its webhook is not sent. */
export const webhookStates = [...deliverySchema.shape.state.options, 'NOT_SENT'] as const;

/** State of a delivery before its first attempt. */
export const notAttempted: Delivery = { state: 'PENDING', attempts: 0, round: 0 };

/** The webhook of a purged job. */
export const notSent: { readonly state: (typeof webhookStates)[number]; readonly attempts: number } = {
  state: 'NOT_SENT',
  attempts: 0,
};

/** The outcome of an attempt. */
export type AttemptOutcome =
  | { readonly state: 'DELIVERED'; readonly lastStatus: number }
  | {
      readonly state: 'PENDING' | 'FAILED';
      readonly lastStatus?: number;
      readonly lastError: string;
      readonly receiver: string;
    };

/**
 * Metric with one sample per finished delivery: 1 if it failed, 0 if it was acknowledged. Its average is the
 * failure rate, its sum the number of failures, and its sample count the number of deliveries.
 */
export const FAILURE_METRIC = 'WebhookFailures';

/** The alarm triggers if `percent` % of at least `deliveries` deliveries fail within `within` ms. */
export const failureAlarm = { percent: 10, deliveries: 10, within: 15 * MINUTE } as const;
