import { Logger } from '@aws-lambda-powertools/logger';
import type { Context } from 'aws-lambda';
import { deliveryEventFrom } from '../../aws/webhooks/event.ts';
import { createWebhookPorts } from '../../aws/webhooks/ports.ts';
import { deliver } from '../../core/webhooks/deliver.ts';
import { reportSetAside } from '../set-aside.ts';
import { createWebhookClient } from './egress/post.ts';
import { countDelivery } from './failure-metric.ts';

const logger = new Logger();
const ports = createWebhookPorts(createWebhookClient);

/**
 * Makes one attempt of a delivery. If it fails, the state machine starts the next attempt after a pause. An item that
 * is not a valid job is set aside immediately.
 * @throws Unacknowledged if the receiver did not acknowledge the call, and must be called again
 */
export async function handler(event: unknown, { awsRequestId }: Context): Promise<{ state: string }> {
  const read = deliveryEventFrom(event, awsRequestId);
  if ('unreadable' in read) {
    reportSetAside([read.unreadable]);
    return { state: 'SET_ASIDE' };
  }
  const { key, posted, delivery, traceId, again, over } = await deliver(ports, read.request);
  const { state, attempts, lastStatus, lastError } = delivery;
  logger.info('Webhook.', { ...key, posted, state, attempts, lastStatus, lastError, traceId });
  if (over) countDelivery(key.endpoint, state === 'FAILED');
  if (again) throw new Unacknowledged(`Attempt ${attempts} of ${key.id} was not acknowledged.`);
  return { state };
}

class Unacknowledged extends Error {
  override readonly name = 'Unacknowledged';
}
