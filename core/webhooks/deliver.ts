import type { DeliveryHistory } from '../history/store.ts';
import { type DeliveryKey, deliveryOf, deliveryRemoval, messageId } from '../jobs/delivery-key.ts';
import type { Job } from '../jobs/job.ts';
import { load } from '../jobs/payload.ts';
import { endedRecordOf, type RecordPorts } from '../jobs/record.ts';
import type { Jobs } from '../jobs/store.ts';
import { traceIdOf, traceparentOf } from '../jobs/trace.ts';
import { webhookAttempts } from '../limits.ts';
import { type AttemptOutcome, type Delivery, notAttempted } from './delivery.ts';
import { sign, type WebhookSecrets } from './signing.ts';
import type { Deliveries, PostOutcome, WebhookClient } from './store.ts';

export type DeliverPorts = RecordPorts & {
  readonly deliveries: Deliveries;
  readonly deliveryHistory: Pick<DeliveryHistory, 'add'>;
  readonly jobs: Jobs;
  readonly webhookClient: WebhookClient;
  readonly webhookSecrets: Pick<WebhookSecrets, 'current'>;
};

export interface DeliverRequest {
  /** The job at the time of its end, or the key of the delivery, by which the job is read. */
  readonly ended: Job | DeliveryKey;
  /** Name of the state machine's execution. */
  readonly execution: string;
  /** Number of the execution's earlier calls of the function, even if they threw before an attempt. */
  readonly earlierCalls: number;
  /** Unique name of this call of the function. */
  readonly call: string;
}

export interface DeliveryAttempt {
  readonly key: DeliveryKey;
  /** Whether the receiver was called. */
  readonly posted: boolean;
  readonly delivery: Delivery;
  /** Id of the trace of the request that submitted the job, if it had one. */
  readonly traceId?: string | undefined;
  /** Whether the state machine makes another call after the pause. */
  readonly again: boolean;
  /** Whether this attempt finished the delivery. */
  readonly over: boolean;
}

/**
 * Makes the next attempt to notify a receiver of the end of a job.
 *
 * Input: the job at the time of its end or the key of its delivery, and the call of the execution. Output: the state of
 * the delivery.
 *  1. Load the message, which is the same for each attempt, even if the job has changed since.
 *  2. Claim the attempt. If another execution holds it, stop; if no attempts are left, mark the delivery FAILED.
 *  3. Call the receiver. Only the status 200 acknowledges the delivery.
 *  4. Store the outcome. If this process crashes before that, the attempt counts, and the receiver might be called
 *     again.
 *  5. Store the call for its span, if the deployment makes spans.
 * @throws Error if the message cannot be loaded, which does not count as an attempt
 */
export async function deliver(ports: DeliverPorts, request: DeliverRequest): Promise<DeliveryAttempt> {
  const { deliveries, clock } = ports;
  const job = 'status' in request.ended ? request.ended : await endedJob(ports, request.ended);
  const key = deliveryOf(job);
  if (!key) throw new Error(`Job ${job.id} has no webhook for status ${job.status}.`);
  const message = await messageOf(ports, job, key);
  const traceId = job.trace && traceIdOf(job.trace);

  const { execution, earlierCalls, call } = request;
  const turnOf = (earlier: number) => `${execution}#${earlier}`;
  const removeAfter = deliveryRemoval(clock.now(), job);
  const claim = {
    call,
    turn: turnOf(earlierCalls),
    earlierTurns: Array.from({ length: earlierCalls }, (_, n) => turnOf(n)),
    now: clock.now(),
    leaseEnds: clock.now() + webhookAttempts.lease,
    removeAfter,
  };
  const { claimed, delivery } = await deliveries.claim(key, claim);
  if (!claimed) {
    // If the lease of the last attempt has ended without an outcome, the process that made it has crashed.
    const over = isExhausted(delivery) && (await deliveries.giveUp(key, OUTCOME_UNKNOWN, clock.now(), removeAfter));
    const ended = over ? { ...delivery, state: 'FAILED' as const, lastError: OUTCOME_UNKNOWN } : delivery;
    return { key, posted: false, delivery: ended, traceId, again: false, over };
  }

  const startedAt = clock.now();
  const response = await post(ports, key, message);
  const endedAt = clock.now();
  const outcome = outcomeOf(response, delivery.attempts, message.url);
  await deliveries.saveOutcome(key, claim, outcome, clock.now());
  await ports.deliveryHistory.add({
    ...key,
    attempt: delivery.attempts,
    startedAt,
    endedAt,
    state: outcome.state,
    ...(response.answered ? { status: response.status } : { failure: response.reason }),
    trace: job.trace,
  });
  const again = outcome.state === 'PENDING';
  return { key, posted: true, delivery: { ...delivery, ...outcome }, traceId, again, over: !again };
}

const OUTCOME_UNKNOWN = 'The outcome of the last attempt is unknown.';

const isExhausted = ({ state, attempts }: Delivery) => state === 'PENDING' && attempts >= webhookAttempts.max;

/** Returns the job at the time of the completion. If it was retried since, the delivery contains a copy. */
async function endedJob({ deliveries, jobs }: DeliverPorts, key: DeliveryKey): Promise<Job> {
  const { job: kept } = (await deliveries.read(key, 'now')) ?? notAttempted;
  const job = kept ?? (await jobs.read(key));
  if (job && deliveryOf(job)?.completion === key.completion) return job;
  throw new Error(`The record of completion ${key.completion} of job ${key.id} is missing.`);
}

interface Message {
  readonly url: string;
  readonly body: string;
  /** The header `traceparent` of the request that submitted the job. */
  readonly traceparent?: string | undefined;
  /** Secrets that sign the message. */
  readonly secrets: readonly string[];
}

async function messageOf(ports: DeliverPorts, job: Job, { endpoint, id }: DeliveryKey): Promise<Message> {
  if (!job.webhook) throw new Error(`Job ${id} of ${endpoint} has no webhook.`);
  const [url, body, secrets] = await Promise.all([
    load(ports, job, job.webhook),
    endedRecordOf(ports, job),
    ports.webhookSecrets.current(endpoint),
  ]);
  return { url, body, secrets, traceparent: job.trace && traceparentOf(job.trace) };
}

function post(
  ports: DeliverPorts,
  key: DeliveryKey,
  { url, body, secrets, traceparent }: Message,
): Promise<PostOutcome> {
  const signature = sign({ id: messageId(key), timestamp: ports.clock.now(), body, secrets });
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'gpu-endpoints',
    ...(traceparent && { traceparent }),
    ...signature,
  };
  return ports.webhookClient.post({ url, headers, body });
}

function outcomeOf(outcome: PostOutcome, attempts: number, url: string): AttemptOutcome {
  if (outcome.answered && outcome.status === 200) return { state: 'DELIVERED', lastStatus: 200 };
  const state = attempts < webhookAttempts.max ? 'PENDING' : 'FAILED';
  // Paths and queries of webhooks can contain secrets.
  const { origin: receiver } = new URL(url);
  if (!outcome.answered) return { state, lastError: `${outcome.reason}: ${outcome.detail}`, receiver };
  return { state, lastStatus: outcome.status, lastError: 'Only the status 200 acknowledges.', receiver };
}
