/**
 * `Idempotency-Key`: requests with the same key return the same job. The first request stores the id of its job
 * under the key before it creates the job. If a later request finds an id without a job, it creates the job with
 * this id.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { type JobQueues, sendMessage } from '../jobs/queues.ts';
import type { Jobs } from '../jobs/store.ts';
import { IDEMPOTENCY_WINDOW } from '../limits.ts';
import { IdempotencyConflict, InvalidRequest } from '../requests/errors.ts';
import { shown } from '../requests/validation.ts';
import type { SubmitOperation, SubmitRequest } from './request.ts';

/** The job and the body for which a key was used. */
export interface KeyUse {
  readonly job: string;
  /** SHA-256 of the body, in hex. */
  readonly body: string;
  /** Milliseconds since the epoch, after which the key can be used for another job. */
  readonly expiresAt: number;
}

/** The store of clients' idempotency keys. */
export interface IdempotencyKeys {
  /**
   * Stores the use of a key, unless a use that has not expired by `now` is stored.
   * @returns the stored use, which is the same for all concurrent callers
   */
  hold(name: string, use: KeyUse, now: number): Promise<KeyUse>;
}

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');

/**
 * Returns the name of a key. It contains owner, endpoint and operation, so that guessed keys do not reveal other
 * owners' jobs.
 */
const nameOf = (operation: SubmitOperation, { endpoint, owner, idempotencyKey }: SubmitRequest) =>
  sha256(JSON.stringify([endpoint, owner, operation, idempotencyKey]));

/**
 * Checks the header.
 * @throws InvalidRequest if the key is not 1 to 255 visible ASCII characters
 */
export function assertIdempotencyKey(key: string | undefined): void {
  if (key !== undefined && !VISIBLE_ASCII.test(key))
    throw new InvalidRequest(
      `The header \`Idempotency-Key\` must be 1 to 255 visible ASCII characters without spaces, got ${shown(key)}.`,
    );
}

/**
 * Returns the job id for the request: `fresh`, or the id of the first request with the same key.
 * @throws IdempotencyConflict if the first request had another body
 */
export async function jobIdFor(
  { idempotencyKeys, clock }: { readonly idempotencyKeys: IdempotencyKeys; readonly clock: Clock },
  operation: SubmitOperation,
  request: SubmitRequest,
  fresh: string,
): Promise<string> {
  if (request.idempotencyKey === undefined) return fresh;
  const now = clock.now();
  const body = sha256(request.body);
  const use = { job: fresh, body, expiresAt: now + IDEMPOTENCY_WINDOW };
  const stored = await idempotencyKeys.hold(nameOf(operation, request), use, now);
  if (stored.body !== body) throw new IdempotencyConflict();
  return stored.job;
}

/**
 * Returns whether the job of an idempotency key is stored. If the job still waits for its first start, sends its
 * message, because the process that stored the job might have crashed before it sent the message. A job remains
 * stored for longer than its key, even if it ends soon.
 */
export async function isStored(
  ports: { readonly jobQueues: JobQueues; readonly jobs: Jobs },
  endpoint: Endpoint,
  id: string,
): Promise<boolean> {
  const job = await ports.jobs.read({ endpoint: endpoint.id, id });
  if (job?.status === 'IN_QUEUE' && job.attempt === 0) await sendMessage(ports, endpoint, job);
  return job !== undefined;
}
