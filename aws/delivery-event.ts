/** Reads what the state machine of deliveries hands over: a change of the jobs table, or which delivery to make again. */
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import type { DeliverRequest } from '../core/webhooks/deliver.ts';
import { jobFrom } from './job-item.ts';

type Image = Parameters<typeof unmarshall>[0];

const eventSchema = z.object({
  cause: z.union([
    z.object({ dynamodb: z.object({ NewImage: z.record(z.string(), z.unknown()) }) }),
    z.object({ again: z.object({ endpoint: z.string(), id: z.string(), completion: z.number() }) }),
  ]),
  execution: z.string(),
  retry: z.number(),
});

/**
 * @param call names this invocation
 * @throws if the event is none of the machine's
 */
export function deliveryRequestFrom(event: unknown, call: string): DeliverRequest {
  const { cause, execution, retry } = eventSchema.parse(event);
  const ended = 'again' in cause ? cause.again : jobFrom(unmarshall(cause.dynamodb.NewImage as Image));
  return { ended, execution, retry, call };
}
