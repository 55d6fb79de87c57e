import { deployed } from '../endpoints/deployed.ts';
import { MAX_ATTEMPTS, policyLimits, retention } from '../limits.ts';
import type { World } from '../world.ts';
import { accept } from './machine.ts';
import { store } from './payload.ts';
import { parseSubmission } from './submission.ts';
import { tidyAfter } from './tidy.ts';

export interface RunRequest {
  readonly endpoint: string;
  readonly owner: string;
  /** The request body, as it came. */
  readonly body: string;
}

/**
 * Accepts a job.
 *
 * Input: endpoint, owner, body. Output: the id, and the status it is in.
 *  1. Refuse an unknown endpoint or a malformed body.
 *  2. Store the input, then the job.
 *  3. Hint a worker at it. Only then is the job acknowledged: what was answered is stored and will be looked at.
 */
export async function run(
  world: Pick<World, 'clock' | 'endpoints' | 'hints' | 'jobs' | 'newJobId' | 'payloads'>,
  request: RunRequest,
): Promise<{ id: string; status: string }> {
  const endpoint = await deployed(world, request.endpoint);
  const { input, policy } = parseSubmission(request.body);

  const now = world.clock.now();
  const key = { endpoint: endpoint.id, id: world.newJobId('run', now) };
  const queueTtl = policy.ttl ?? policyLimits.ttl.default;
  const executionTimeout = policy.executionTimeout ?? endpoint.executionTimeout;
  const lowPriority = policy.lowPriority ?? false;
  const removeAfter = tidyAfter(now + MAX_ATTEMPTS * (queueTtl + executionTimeout) + retention.run);
  const job = accept({
    ...key,
    kind: 'run',
    owner: request.owner,
    lowPriority,
    generation: endpoint.generation,
    attempt: 0,
    attemptLimit: MAX_ATTEMPTS,
    rescues: 0,
    acceptedAt: now,
    queuedAt: now,
    queueTtl,
    queueDeadline: now + queueTtl,
    executionTimeout,
    retention: retention.run,
    removeAfter,
    input: await store(world, key, 'input', input, removeAfter),
  });
  await world.jobs.create(job);

  const queue = lowPriority ? endpoint.lowQueueUrl : endpoint.normalQueueUrl;
  await world.hints.send(queue, { endpoint: endpoint.id, job: job.id, attempt: 0, generation: job.generation });
  return { id: job.id, status: job.status };
}
