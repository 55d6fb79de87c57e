import type { Clock } from '../clock.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import type { Deadlines } from '../expiry/due.ts';
import { type DeliveryKey, deliveryOf, messageId } from '../jobs/delivery-key.ts';
import { JOB_ID } from '../jobs/id.ts';
import type { Job, JobKey } from '../jobs/job.ts';
import type { Jobs } from '../jobs/store.ts';
import { MINUTE, REDRIVE_AFTER, SECOND } from '../limits.ts';
import { JobExpired, JobNotFound, WebhookNotFailed, WebhookNotFound } from '../requests/errors.ts';
import { parseIndex, type QueryValue } from '../requests/validation.ts';
import { type Delivery, notAttempted } from './delivery.ts';
import type { Deliveries, DeliveryStarts } from './store.ts';

export type ResendPorts = {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly deliveries: Deliveries;
  readonly endpoints: Endpoints;
  readonly jobs: Jobs;
  readonly deliveryStarts: DeliveryStarts;
};

export interface ResendRequest extends JobKey {
  /**
   * Number of the completion of the job, unparsed.
   * @default - the last completion
   */
  readonly completion?: QueryValue | undefined;
}

export interface Resent {
  readonly id: string;
  readonly completion: number;
  readonly webhookId: string;
  readonly state: 'PENDING';
}

/**
 * Sends a failed delivery again: up to three more attempts with the same `webhook-id` and the same body.
 *
 * Input: endpoint, job id, completion of the job. Output: the delivery that is sent again.
 *  1. Refuse an unknown endpoint or job, a job without the delivery, a delivery that has not failed, and a
 *     delivery whose body is no longer stored.
 *  2. Store a deadline for the sweeper, in case this process crashes after the next step.
 *  3. Reopen the delivery in one conditional write, so that only one of several concurrent calls succeeds.
 *  4. Start the delivery.
 */
export async function resend(ports: ResendPorts, { completion, ...key }: ResendRequest): Promise<Resent> {
  const { deadlines, deliveries, deliveryStarts, clock } = ports;
  const wanted = parseIndex(completion, 'completion');
  await deployed(ports, key.endpoint);
  const job = JOB_ID.test(key.id) ? await ports.jobs.read(key) : undefined;
  if (!job) throw new JobNotFound(key.endpoint, key.id);
  const delivery = keyOf(job, wanted);
  const state = await failed(ports, delivery);
  assertKept(state.job ?? job, clock.now());

  const minute = Math.ceil((clock.now() + REDRIVE_AFTER) / MINUTE);
  const due = { job: key.id, minute, completion: delivery.completion };
  await deadlines.save(key.endpoint, `resend#${messageId(delivery)}#${state.round}`, [due]);
  if (!(await deliveries.reopen(delivery))) throw new WebhookNotFailed(key.id, 'PENDING');
  await deliveryStarts.start(delivery);
  return { id: key.id, completion: delivery.completion, webhookId: messageId(delivery), state: 'PENDING' };
}

function keyOf(job: Job, completion = deliveryOf(job)?.completion): DeliveryKey {
  if (job.webhook === undefined || completion === undefined || completion > job.retries)
    throw new WebhookNotFound(job.id);
  return { endpoint: job.endpoint, id: job.id, completion };
}

async function failed({ deliveries }: ResendPorts, key: DeliveryKey): Promise<Delivery> {
  const delivery = (await deliveries.read(key, 'now')) ?? notAttempted;
  if (delivery.state !== 'FAILED') throw new WebhookNotFailed(key.id, delivery.state);
  return delivery;
}

/** Refuses a delivery whose job is removed soon, because the attempts need the body from the job. */
function assertKept(job: Job, now: number): void {
  const removedAt = job.removeAfter * SECOND;
  if (removedAt <= now + REDRIVE_AFTER) throw new JobExpired(job.id, removedAt);
}
