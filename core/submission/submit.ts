import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { removeAfterLastUse } from '../jobs/ending.ts';
import type { NewJobId } from '../jobs/id.ts';
import { elsewhere, fitsWithObjects, inlineAtSubmission } from '../jobs/item-size.ts';
import type { JobKey, PayloadRef } from '../jobs/job.ts';
import { accept, entry } from '../jobs/machine.ts';
import { store, storeS3Config } from '../jobs/payload.ts';
import { type JobQueues, sendMessage } from '../jobs/queues.ts';
import type { Jobs, Objects, Payloads, Secrets } from '../jobs/store.ts';
import { traceOf } from '../jobs/trace.ts';
import { parseLargeObject } from '../json/json.ts';
import { LATEST, MAX_ATTEMPTS, payloadLimits, policyLimits, queueLimits, retention } from '../limits.ts';
import { QueueFull } from '../requests/errors.ts';
import { assertWithinBudget } from './budget.ts';
import { assertIdempotencyKey, type IdempotencyKeys, isStored, jobIdFor } from './idempotency.ts';
import {
  assertBodyFits,
  kindOf,
  parseSubmission,
  type Submission,
  type SubmitOperation,
  type SubmitRequest,
  submissionMembers,
} from './request.ts';

/** Ports for jobs without secrets and webhooks. */
export type PlainSubmitPorts = {
  readonly idempotencyKeys: IdempotencyKeys;
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly jobQueues: JobQueues;
  readonly jobs: Jobs;
  readonly newJobId: NewJobId;
  readonly objects: Objects;
  readonly payloads: Payloads;
};

export type SubmitPorts = PlainSubmitPorts & { readonly secrets: Secrets; readonly webhookNetworks: readonly string[] };

/** The response to an accepted job, and to each repeated request. */
export type Accepted = JobKey &
  typeof entry & {
    /** Whether this request has stored the job, and not an earlier one. */
    readonly isNew: boolean;
  };

/** A request whose body is parsed and valid. */
export interface ParsedRequest {
  readonly submission: Omit<Submission, 's3Config'>;
  /** Stores `s3Config`, sealed, if the request has one. */
  readonly storeSecrets?: ((key: JobKey, removeAfter: number) => Promise<PayloadRef>) | undefined;
  /** The bytes that must be equal in all requests with the same idempotency key. */
  readonly identity: Uint8Array;
}

export interface SubmitHooks {
  /**
   * Called with the job's id before the job is stored. After a later failure, it is unknown whether the job
   * exists.
   */
  readonly mayBeStored?: ((id: string) => void) | undefined;
  /** Called with a valid request before anything is stored; throws to refuse the request. */
  readonly admit?: (() => Promise<void>) | undefined;
}

/**
 * Parses a request of `/run` or `/runsync`.
 * @throws InvalidRequest with the field, its value and the allowed values
 */
export async function parseJobRequest(ports: SubmitPorts, { body }: SubmitRequest): Promise<ParsedRequest> {
  const members = await parseLargeObject(body, submissionMembers);
  const { s3Config, ...submission } = parseSubmission(members, ports.webhookNetworks);
  const storeSecrets = (key: JobKey, removeAfter: number) => storeS3Config(ports, key, s3Config ?? '', removeAfter);
  return { submission, identity: body, storeSecrets: s3Config === undefined ? undefined : storeSecrets };
}

/**
 * Accepts a job of `/run`, `/runsync` or an OpenAI route.
 *
 * Input: the operation, endpoint, owner, body, idempotency key. Output: the job's id. A request with a repeated
 * idempotency key gets the id of the first request's job, regardless of its status.
 *  1. Refuse an unknown endpoint, a malformed body, all jobs while the queue is full, and those of a key that has spent
 *     its budget.
 *  2. Store the job's id under the idempotency key, if the request has one. If the key's job is already stored,
 *     stop.
 *  3. Store the input, the webhook's URL and the sealed `s3Config`, then the job.
 *  4. Send its message. The job is acknowledged only after that, so every acknowledged job is stored and has a
 *     message.
 * @param parse parses the body; throws to refuse it
 */
export async function submit(
  ports: PlainSubmitPorts,
  operation: SubmitOperation,
  request: SubmitRequest,
  parse: () => Promise<ParsedRequest>,
  { mayBeStored = () => undefined, admit = async () => undefined }: SubmitHooks = {},
): Promise<Accepted> {
  const kind = kindOf(operation);
  const endpoint = await deployed(ports, request.endpoint);
  assertBodyFits(operation, request.body.length);
  assertIdempotencyKey(request.idempotencyKey);
  const { submission, storeSecrets, identity } = await parse();
  const { input, policy, webhook } = submission;
  assertNotFull(endpoint);
  assertWithinBudget(endpoint, request.keyId, ports.clock.now());
  await admit();

  const now = ports.clock.now();
  const fresh = ports.newJobId(kind, now);
  const id = await jobIdFor(ports, operation, { ...request, body: identity }, fresh);
  const key = { endpoint: endpoint.id, id };
  if (id !== fresh) {
    mayBeStored(id);
    if (await isStored(ports, endpoint, id)) return { ...key, ...entry, isNew: false };
  }

  const lowPriority = policy.lowPriority ?? false;
  const spans = {
    queueTtl: policy.ttl ?? policyLimits.ttl.default,
    executionTimeout: policy.executionTimeout ?? endpoint.executionTimeout,
    retention: retention[kind],
  };
  const removeAfter = removeAfterLastUse(spans, now);
  const untraced = {
    ...key,
    kind,
    owner: request.owner,
    ...(request.keyId && { key: request.keyId }),
    lowPriority,
    attempt: 0,
    attemptLimit: MAX_ATTEMPTS,
    rescues: 0,
    retries: 0,
    acceptedAt: now,
    queuedAt: now,
    ...spans,
    queueDeadline: now + spans.queueTtl,
    removeAfter,
    ...(endpoint.streamEnvelope && { streamEnvelope: true }),
    ...(storeSecrets && { s3Config: await storeSecrets(key, removeAfter) }),
    // The longest generation, until it is read.
    generation: LATEST - 1,
  };
  const trace = traceOf(request.traceparent);
  const traced = { ...untraced, ...(trace !== undefined && { trace }) };
  const fields = fitsWithObjects(traced) ? traced : untraced;
  const inline = (beside: object, name: 'input' | 'webhook', max: number) =>
    inlineAtSubmission({ ...fields, ...beside }, name, max);
  const called = webhook !== undefined && {
    webhook: await store(
      ports,
      key,
      'webhook',
      Buffer.from(webhook),
      removeAfter,
      inline({ input: elsewhere }, 'webhook', payloadLimits.inlineWebhook),
    ),
  };
  const inputLimit = inline(called || {}, 'input', payloadLimits.inline);
  const job = accept({
    ...fields,
    ...called,
    input: await store(ports, key, 'input', input, removeAfter, inputLimit),
    // Read after the payloads are stored, because a purge does not wait for a process that stores a large input.
    generation: (await deployed(ports, endpoint.id)).generation,
  });
  mayBeStored(id);
  await ports.jobs.create(job);

  await sendMessage(ports, endpoint, job);
  return { ...key, ...entry, isNew: id === fresh };
}

/**
 * Accepts a job whose result the client reads later.
 *
 * Input: endpoint, owner, body, idempotency key. Output: the id and the initial status.
 * @param mayBeStored called with the job's id before the job is stored
 */
export async function run(
  ports: SubmitPorts,
  request: SubmitRequest,
  mayBeStored?: (id: string) => void,
): Promise<{ id: string; status: string }> {
  const { id, status } = await submit(ports, 'run', request, () => parseJobRequest(ports, request), { mayBeStored });
  return { id, status };
}

/**
 * Refuses a job while too many jobs wait. Low-priority jobs count and are refused like all other jobs. The ledger
 * is about one second behind, so a burst can exceed the limit a little.
 * @throws QueueFull
 */
export function assertNotFull({ id, maxWorkers, counts }: Pick<Endpoint, 'id' | 'maxWorkers' | 'counts'>): void {
  const max = Math.max(queueLimits.min, maxWorkers * queueLimits.perWorker);
  if (counts.inQueue > max) throw new QueueFull(id, { waiting: counts.inQueue, max });
}
