import { deployed } from '../endpoints/store.ts';
import { JobNotRetryable } from '../errors.ts';
import { deliveryOf, deliveryRemoval } from '../jobs/delivery-key.ts';
import { removeAfterLastUse } from '../jobs/ending.ts';
import { type FindPorts, find } from '../jobs/find.ts';
import type { Job, JobKey } from '../jobs/job.ts';
import { keepLonger } from '../jobs/payload.ts';
import { type JobQueues, sendMessage } from '../jobs/queues.ts';
import type { Objects, Payloads } from '../jobs/store.ts';
import { transitions } from '../jobs/transitions.ts';
import { RETRY_MESSAGE_DELAY } from '../limits.ts';
import type { Deliveries } from '../webhooks/store.ts';

export type RetryPorts = FindPorts & {
  readonly deliveries: Deliveries;
  readonly jobQueues: JobQueues;
  readonly objects: Objects;
  readonly payloads: Payloads;
};

const isRetryable = ({ status }: Job) => status === 'FAILED' || status === 'TIMED_OUT';

/**
 * Runs a job again that has failed or timed out: the same id, the same input, the same `s3Config`.
 *
 * Input: endpoint and job id. Output: the id, and the status that the job has now.
 *  1. Refuse an unknown endpoint, an unknown job, one whose result has expired, and one that has not failed.
 *  2. Keep input and `s3Config` for as long as the job may need them now. A webhook that is not delivered yet reports the
 *     job as it is: keep that job, too.
 *  3. Send a message that shows late, in case this process dies after the next step; move the job; send one that shows
 *     at once. A message that shows before the job waits would be dropped.
 */
export async function retry(ports: RetryPorts, key: JobKey): Promise<{ id: string; status: string }> {
  const { job } = await find(ports, key);
  if (!isRetryable(job)) throw new JobNotRetryable(job.id, job.status);
  const $removeAfter = removeAfterLastUse(job, ports.clock.now());
  await keepLonger(ports, job, $removeAfter);
  const delivery = deliveryOf(job);
  if (delivery) await ports.deliveries.keep(delivery, job, deliveryRemoval(ports.clock.now(), job));

  // Only now, because a large input takes time: the job joins the present generation of the queue.
  const endpoint = await deployed(ports, key.endpoint);
  const { generation } = endpoint;
  await sendMessage(ports, endpoint, job, { generation, delay: RETRY_MESSAGE_DELAY });
  const now = ports.clock.now();
  const facts = { $now: now, $generation: generation, $removeAfter };
  const result = await ports.jobs.move('retry', job, facts);
  // The job may be retried already: an earlier attempt of this call succeeded and its response was lost.
  if (!result.moved && !(result.repeated && result.job?.queuedAt === now)) return refuse(ports, key);
  await sendMessage(ports, endpoint, job, { generation });
  return { id: job.id, status: transitions.retry.to };
}

/** Another call came first: the job's status says why it cannot be retried. */
async function refuse(ports: FindPorts, key: JobKey): Promise<never> {
  const { job } = await find(ports, key);
  throw new JobNotRetryable(job.id, job.status);
}
