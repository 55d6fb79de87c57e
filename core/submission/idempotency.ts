/**
 * `Idempotency-Key`: requests that carry the same one stand for one job. The first of them claims the key for the job
 * that it is about to store. A later one that finds the claim without its job stores that job, under the same id.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { IdempotencyConflict, InvalidRequest } from '../errors.ts';
import { type JobQueues, messageOf, queueOf } from '../jobs/queues.ts';
import type { Jobs } from '../jobs/store.ts';
import { CLAIM_LIFE } from '../limits.ts';
import { shown } from '../validation.ts';
import type { SubmitOperation } from './request.ts';

/** For which job a key was used, and with which body. */
export interface Claim {
  readonly job: string;
  /** SHA-256 of the body, in hex. */
  readonly body: string;
  /** Milliseconds since the epoch; from then on the key can be claimed again. */
  readonly expiresAt: number;
}

/** Which jobs the idempotency keys of clients stand for. */
export interface Claims {
  /**
   * Stores the claim, unless there is one of that name that has not expired by `now`.
   * @returns the claim that holds: of all callers at once, every one gets the same
   */
  hold(name: string, claim: Claim, now: number): Promise<Claim>;
}

export interface ClaimRequest {
  readonly endpoint: string;
  readonly owner: string;
  /** As it came. */
  readonly body: Uint8Array;
  /** The header, as it came. */
  readonly idempotencyKey?: string;
}

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');

/** Keys are the owner's own, per endpoint and operation: nobody learns of another's jobs by guessing keys. */
const nameOf = (operation: SubmitOperation, { endpoint, owner, idempotencyKey }: ClaimRequest) =>
  sha256(JSON.stringify([endpoint, owner, operation, idempotencyKey]));

/** @throws InvalidRequest if it is not 1 to 255 visible ASCII characters */
export function assertIdempotencyKey(key: string | undefined): void {
  if (key !== undefined && !VISIBLE_ASCII.test(key))
    throw new InvalidRequest(
      `The header \`Idempotency-Key\` must be 1 to 255 visible ASCII characters without spaces, got ${shown(key)}.`,
    );
}

/**
 * The id of the job that the request stands for: `fresh`, or that of the request that claimed its key.
 * @throws IdempotencyConflict if that request had another body
 */
export async function claimedId(
  { claims, clock }: { readonly claims: Claims; readonly clock: Clock },
  operation: SubmitOperation,
  request: ClaimRequest,
  fresh: string,
): Promise<string> {
  if (request.idempotencyKey === undefined) return fresh;
  const now = clock.now();
  const body = sha256(request.body);
  const claim = await claims.hold(nameOf(operation, request), { job: fresh, body, expiresAt: now + CLAIM_LIFE }, now);
  if (claim.body !== body) throw new IdempotencyConflict();
  return claim.job;
}

/**
 * Whether the job of a claim is stored. The process that stored it may have died before it sent the message: if the job
 * still waits for its first start, that is made up for. A job stays stored for longer than its claim holds, however
 * soon it ends.
 */
export async function isStored(
  { jobQueues, jobs }: { readonly jobQueues: JobQueues; readonly jobs: Jobs },
  endpoint: Endpoint,
  id: string,
): Promise<boolean> {
  const job = await jobs.read({ endpoint: endpoint.id, id });
  if (job?.status === 'IN_QUEUE' && job.attempt === 0) await jobQueues.send(queueOf(endpoint, job), messageOf(job));
  return job !== undefined;
}
