import { deployed } from '../endpoints/store.ts';
import { deliveryOf, deliveryRemoval } from '../jobs/delivery-key.ts';
import { removeAfterLastUse } from '../jobs/ending.ts';
import { type FindPorts, find } from '../jobs/find.ts';
import type { Job, JobKey } from '../jobs/job.ts';
import { keepLonger } from '../jobs/payload.ts';
import { type JobQueues, sendMessage } from '../jobs/queues.ts';
import type { Objects, Payloads } from '../jobs/store.ts';
import { transitions } from '../jobs/transitions.ts';
import { RETRY_MESSAGE_DELAY } from '../limits.ts';
import { JobNotRetryable } from '../requests/errors.ts';
import type { Deliveries } from '../webhooks/store.ts';
import { assertWithinBudget } from './budget.ts';

export type RetryPorts = FindPorts & {
  readonly deliveries: Deliveries;
  readonly jobQueues: JobQueues;
  readonly objects: Objects;
  readonly payloads: Payloads;
};

const isRetryable = ({ status }: Job) => status === 'FAILED' || status === 'TIMED_OUT';

/**
 * Retries a job that has failed or timed out, with the same id, input and `s3Config`.
 *
 * Input: endpoint and job id. Output: the id and the new status.
 *  1. Refuse an unknown endpoint, an unknown job, a job whose result has expired, a job that has not failed, and a job
 *     of a key that has spent its budget.
 *  2. Extend the retention of the input, `s3Config` and webhook for the new attempts. A webhook that is not
 *     delivered yet reports the job before the retry, so store a copy of that job.
 *  3. Send a delayed message, in case this process crashes after the next step. Move the job to its queue. Then
 *     send a message that is visible immediately. A message that became visible before the move would be dropped.
 */
export async function retry(ports: RetryPorts, key: JobKey): Promise<{ id: string; status: string }> {
  const { job } = await find(ports, key);
  if (!isRetryable(job)) throw new JobNotRetryable(job.id, job.status);
  assertWithinBudget(await deployed(ports, key.endpoint), job.key, ports.clock.now());
  const $removeAfter = removeAfterLastUse(job, ports.clock.now());
  await keepLonger(ports, job, $removeAfter);
  const delivery = deliveryOf(job);
  if (delivery) await ports.deliveries.keep(delivery, job, deliveryRemoval(ports.clock.now(), job));

  // Read the endpoint after the copy, because a large input takes time and the job must get the current
  // generation.
  const endpoint = await deployed(ports, key.endpoint);
  await sendMessage(ports, endpoint, job, { generation: endpoint.generation, delay: RETRY_MESSAGE_DELAY });
  // A purge does not wait for a slow queue.
  const { generation } = await deployed(ports, key.endpoint);
  const now = ports.clock.now();
  const facts = { $now: now, $generation: generation, $removeAfter };
  const result = await ports.jobs.move('retry', job, facts);
  // An earlier attempt of this write might have succeeded although its response was lost.
  if (!result.moved && !(result.repeated && result.job?.queuedAt === now)) return refuse(ports, key);
  await sendMessage(ports, endpoint, job, { generation });
  return { id: job.id, status: transitions.retry.to };
}

/** Throws the error for a job that another call has changed first. Its new status shows why it cannot be retried. */
async function refuse(ports: FindPorts, key: JobKey): Promise<never> {
  const { job } = await find(ports, key);
  throw new JobNotRetryable(job.id, job.status);
}
