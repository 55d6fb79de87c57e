/**
 * `Idempotency-Key`: requests with the same key stand for one job. The first request stores, under its key, the id of the
 * job that it is about to create. A later request that finds the id without its job creates the job, under the same id.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { IdempotencyConflict, InvalidRequest } from '../errors.ts';
import { type JobQueues, sendMessage } from '../jobs/queues.ts';
import type { Jobs } from '../jobs/store.ts';
import { IDEMPOTENCY_WINDOW } from '../limits.ts';
import { shown } from '../validation.ts';
import type { SubmitOperation, SubmitRequest } from './request.ts';

/** For which job a key was used, and with which body. */
export interface KeyUse {
  readonly job: string;
  /** SHA-256 of the body, in hex. */
  readonly body: string;
  /** Milliseconds since the epoch; from then on the key stands for another job. */
  readonly expiresAt: number;
}

/** The jobs that the idempotency keys of clients stand for. */
export interface IdempotencyKeys {
  /**
   * Stores the use of a key, unless a use of that name is stored that has not expired by `now`.
   * @returns the stored use: concurrent callers all get the same one
   */
  hold(name: string, use: KeyUse, now: number): Promise<KeyUse>;
}

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');

/** A key belongs to an owner, an endpoint and an operation, so that guessing keys reveals no job of another owner. */
const nameOf = (operation: SubmitOperation, { endpoint, owner, idempotencyKey }: SubmitRequest) =>
  sha256(JSON.stringify([endpoint, owner, operation, idempotencyKey]));

/** @throws InvalidRequest if it is not 1 to 255 visible ASCII characters */
export function assertIdempotencyKey(key: string | undefined): void {
  if (key !== undefined && !VISIBLE_ASCII.test(key))
    throw new InvalidRequest(
      `The header \`Idempotency-Key\` must be 1 to 255 visible ASCII characters without spaces, got ${shown(key)}.`,
    );
}

/**
 * The id of the job that the request stands for: `fresh`, or that of the first request with its key.
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
 * Whether the job of an idempotency key is stored. The process that stored it may have died before it sent the message:
 * if the job still waits for its first start, a message is sent. A job stays stored for longer than its key stands for
 * it, however soon the job ends.
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
