import { createPayloadWorld } from '../../aws/payload-world.ts';
import { run } from '../../core/jobs/run.ts';
import { http } from '../http.ts';

const world = createPayloadWorld();

/** POST /{endpoint}/run */
export const handler = http(async ({ endpoint, owner, body, idempotencyKey }, notes) => {
  const accepted = await run(world, { endpoint, owner, body, idempotencyKey });
  notes.jobId = accepted.id;
  return accepted;
});
