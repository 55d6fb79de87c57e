/** Reads events of the delivery state machine: a change of the jobs table, or the key of a delivery to repeat. */
import * as z from 'zod/mini';
import type { Unreadable } from '../../core/stored-items/unreadable.ts';
import type { DeliverRequest } from '../../core/webhooks/deliver.ts';
import { itemIn } from '../images.ts';
import { readJob, unreadableItem } from '../jobs/job-item.ts';

const eventSchema = z.object({
  cause: z.union([
    z.object({ dynamodb: z.object({ NewImage: z.record(z.string(), z.unknown()) }) }),
    z.object({ again: z.object({ endpoint: z.string(), id: z.string(), completion: z.number() }) }),
  ]),
  execution: z.string(),
  retry: z.number(),
});

export type DeliveryEvent = { readonly request: DeliverRequest } | { readonly unreadable: Unreadable };

/**
 * Reads the event of one invocation.
 * @param call unique name of this invocation
 * @returns `unreadable` if the changed item is not a valid job, so that there is nothing to deliver
 * @throws if the event is not from the state machine
 */
export function deliveryEventFrom(event: unknown, call: string): DeliveryEvent {
  const { cause, execution, retry } = eventSchema.parse(event);
  const tried = { execution, earlierCalls: retry, call };
  if ('again' in cause) return { request: { ended: cause.again, ...tried } };
  const item = itemIn(cause.dynamodb.NewImage);
  const read = readJob(item);
  if ('value' in read) return { request: { ended: read.value, ...tried } };
  return { unreadable: unreadableItem(item, read.reason) };
}
