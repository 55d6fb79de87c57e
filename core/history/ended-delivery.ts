/** The attempts of webhook deliveries: one row for each call of a receiver, which the sweeper makes a span of. */
import * as z from 'zod/mini';
import { TRACE } from '../jobs/trace.ts';
import { webhookStates } from '../webhooks/delivery.ts';

const count = z.int().check(z.gte(0));
const time = z.number().check(z.gte(0));

/** A call of a receiver. Times are in milliseconds since the epoch. */
export const endedDeliverySchema = z.object({
  endpoint: z.string(),
  /** Id of the job. */
  id: z.string(),
  /** Times that the job was retried before the end that the delivery reports. */
  completion: count,
  attempt: count,
  startedAt: time,
  endedAt: time,
  /** State of the delivery after the attempt. */
  state: z.enum(webhookStates),
  /** HTTP status of the receiver, if it responded. */
  status: z.optional(count),
  /** Why no response came, such as `TIMEOUT`. */
  failure: z.optional(z.string()),
  /** Trace of the request that submitted the job (`core/jobs/trace.ts`). */
  trace: z.optional(z.string().check(z.regex(TRACE))),
});
export type EndedDelivery = z.infer<typeof endedDeliverySchema>;
