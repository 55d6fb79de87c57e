import type { Clock } from '../clock.ts';
import { type DeliveryKey, deliveryOf, deliveryRemoval, messageId } from '../jobs/delivery-key.ts';
import type { Job } from '../jobs/job.ts';
import { load } from '../jobs/payload.ts';
import { endedRecordOf } from '../jobs/record.ts';
import type { Jobs, Objects, Payloads } from '../jobs/store.ts';
import { webhookTries } from '../limits.ts';
import { type Delivery, notTried, type TryOutcome } from './delivery.ts';
import { sign, type WebhookSecrets } from './signing.ts';
import type { Deliveries, PostOutcome, WebhookClient } from './store.ts';

export type DeliverPorts = {
  readonly clock: Clock;
  readonly deliveries: Deliveries;
  readonly jobs: Jobs;
  readonly objects: Objects;
  readonly payloads: Payloads;
} & {
  readonly webhookClient: WebhookClient;
  readonly webhookSecrets: Pick<WebhookSecrets, 'current'>;
};

export interface DeliverRequest {
  /** The job as it was when it ended, or which end of which job it is: then it is looked up. */
  readonly ended: Job | DeliveryKey;
  /** Names the execution of the state machine, and how often it has tried before. */
  readonly execution: string;
  readonly retry: number;
  /** Names this very call. */
  readonly call: string;
}

export interface Tried {
  readonly key: DeliveryKey;
  /** Whether the receiver was called. */
  readonly posted: boolean;
  readonly delivery: Delivery;
  /** Whether whoever called shall call again after the pause. */
  readonly again: boolean;
  /** Whether the delivery is over by this, and was not before. */
  readonly over: boolean;
}

/**
 * Makes the next try to tell a receiver that a job has ended.
 *
 * Input: the job as it was then, and whose turn it is. Output: what has become of the delivery.
 *  1. Load what is told. It is the same for each try, whatever has become of the job since.
 *  2. Claim the try. Who does not get it leaves it to who has it, or ends what no try is left for.
 *  3. Call the receiver: only 200 acknowledges.
 *  4. Note what has come of it. If this process dies before, the try counts, and the receiver may be called again.
 * @throws Error if what is told cannot be loaded; no try is used up then
 */
export async function deliver(ports: DeliverPorts, request: DeliverRequest): Promise<Tried> {
  const { deliveries, clock } = ports;
  const job = 'status' in request.ended ? request.ended : await endedJob(ports, request.ended);
  const key = deliveryOf(job);
  if (!key) throw new Error(`Nobody is told that job ${job.id} is ${job.status}.`);
  const message = await messageOf(ports, job, key);

  const { execution, retry, call } = request;
  const removeAfter = deliveryRemoval(clock.now(), job);
  const claim = {
    call,
    turn: turnOf(execution, retry),
    ...(retry > 0 && { turnBefore: turnOf(execution, retry - 1) }),
    now: clock.now(),
    leaseEnds: clock.now() + webhookTries.lease,
    removeAfter,
  };
  const { claimed, delivery } = await deliveries.claim(key, claim);
  if (!claimed) {
    // Whoever made the last try has not said what has come of it, and does not any more.
    const over = isExhausted(delivery) && (await deliveries.giveUp(key, NO_WORD, clock.now(), removeAfter));
    const ended = over ? { ...delivery, state: 'FAILED' as const, lastError: NO_WORD } : delivery;
    return { key, posted: false, delivery: ended, again: false, over };
  }

  const outcome = outcomeOf(await post(ports, key, message), delivery.attempts);
  await deliveries.saveOutcome(key, claim, outcome, clock.now());
  const again = outcome.state === 'PENDING';
  return { key, posted: true, delivery: { ...delivery, ...outcome }, again, over: !again };
}

const NO_WORD = 'What has come of the last try is not known.';

const turnOf = (execution: string, retry: number) => `${execution}#${retry}`;

const isExhausted = ({ state, attempts }: Delivery) => state === 'PENDING' && attempts >= webhookTries.tries;

/** The job as it was at that end: as it is, unless it was retried since; then it was kept with the delivery. */
async function endedJob({ deliveries, jobs }: DeliverPorts, key: DeliveryKey): Promise<Job> {
  const { job: kept } = (await deliveries.read(key, 'now')) ?? notTried;
  const job = kept ?? (await jobs.read(key));
  if (job && deliveryOf(job)?.completion === key.completion) return job;
  throw new Error(`Job ${key.id} has lost its end ${key.completion}.`);
}

interface Message {
  readonly url: string;
  readonly body: string;
  /** Those that sign it. */
  readonly secrets: readonly string[];
}

async function messageOf(ports: DeliverPorts, job: Job, { endpoint, id }: DeliveryKey): Promise<Message> {
  if (!job.webhook) throw new Error(`Job ${id} of ${endpoint} has no webhook.`);
  const [url, body, secrets] = await Promise.all([
    load(ports, job, job.webhook),
    endedRecordOf(ports, job),
    ports.webhookSecrets.current(endpoint),
  ]);
  return { url, body, secrets };
}

function post(ports: DeliverPorts, key: DeliveryKey, { url, body, secrets }: Message): Promise<PostOutcome> {
  const signature = sign({ id: messageId(key), timestamp: ports.clock.now(), body, secrets });
  const headers = { 'content-type': 'application/json', 'user-agent': 'gpu-endpoints', ...signature };
  return ports.webhookClient.post({ url, headers, body });
}

function outcomeOf(outcome: PostOutcome, attempts: number): TryOutcome {
  if (outcome.answered && outcome.status === 200) return { state: 'DELIVERED', lastStatus: 200 };
  const state = attempts < webhookTries.tries ? 'PENDING' : 'FAILED';
  if (!outcome.answered) return { state, lastError: `${outcome.reason}: ${outcome.detail}` };
  return { state, lastStatus: outcome.status, lastError: 'Only the status 200 acknowledges.' };
}
