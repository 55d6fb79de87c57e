import { createPayloadWorld } from '../../aws/payload-world.ts';
import { run } from '../../core/jobs/run.ts';
import { http } from '../http.ts';

const world = createPayloadWorld();

/** POST /{endpoint}/run */
export const handler = http(({ endpoint, owner, body, idempotencyKey }) => {
  return run(world, { endpoint, owner, body, idempotencyKey });
});
