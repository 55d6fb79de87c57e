import { deployed } from '../endpoints/deployed.ts';
import { PayloadTooLarge } from '../errors.ts';
import { MAX_ATTEMPTS, payloadLimits, policyLimits, retention } from '../limits.ts';
import type { World } from '../world.ts';
import { hintAt, queueOf } from './hint.ts';
import type { JobKind, QueuedJob } from './job.ts';
import { accept } from './machine.ts';
import { assertNotFull } from './overload.ts';
import { store } from './payload.ts';
import { parseSubmission } from './submission.ts';
import { lastUse } from './tidy.ts';

export interface SubmitRequest {
  readonly endpoint: string;
  readonly owner: string;
  /** The request body, as it came. */
  readonly body: string;
}

export type SubmitWorld = Pick<World, 'clock' | 'endpoints' | 'hints' | 'jobs' | 'newJobId' | 'objects' | 'payloads'>;

/**
 * Accepts a job.
 *
 * Input: the operation, endpoint, owner, body. Output: the job as stored.
 *  1. Refuse an unknown endpoint or a malformed body, and any job while the queue is full.
 *  2. Store the input, then the job.
 *  3. Hint a worker at it. Only then is the job acknowledged: what was answered is stored and will be looked at.
 */
export async function submit(world: SubmitWorld, kind: JobKind, request: SubmitRequest): Promise<QueuedJob> {
  const endpoint = await deployed(world, request.endpoint);
  const size = Buffer.byteLength(request.body);
  const limit = payloadLimits.body[kind];
  if (size > limit) throw new PayloadTooLarge(`The body has ${size} bytes; /${kind} takes at most ${limit}.`);
  const { input, policy } = parseSubmission(request.body);
  assertNotFull(endpoint);

  const now = world.clock.now();
  const key = { endpoint: endpoint.id, id: world.newJobId(kind, now) };
  const lowPriority = policy.lowPriority ?? false;
  const spans = {
    queueTtl: policy.ttl ?? policyLimits.ttl.default,
    executionTimeout: policy.executionTimeout ?? endpoint.executionTimeout,
    retention: retention[kind],
  };
  const removeAfter = lastUse(spans, now);
  const job = accept({
    ...key,
    kind,
    owner: request.owner,
    lowPriority,
    generation: endpoint.generation,
    attempt: 0,
    attemptLimit: MAX_ATTEMPTS,
    rescues: 0,
    acceptedAt: now,
    queuedAt: now,
    ...spans,
    queueDeadline: now + spans.queueTtl,
    removeAfter,
    input: await store(world, key, 'input', input, removeAfter),
  });
  await world.jobs.create(job);

  await world.hints.send(queueOf(endpoint, job), hintAt(job));
  return job;
}
