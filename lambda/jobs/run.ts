import { createSecretWorld } from '../../aws/secret-world.ts';
import { run } from '../../core/jobs/run.ts';
import { http } from '../http.ts';

const world = createSecretWorld();

/** POST /{endpoint}/run */
export const handler = http(async ({ endpoint, owner, body, idempotencyKey }, notes) => {
  const accepted = await run(world, { endpoint, owner, body, idempotencyKey });
  notes.jobId = accepted.id;
  return accepted;
});
