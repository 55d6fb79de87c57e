import { createPayloadWorld } from '../../aws/payload-world.ts';
import { runSync } from '../../core/jobs/runsync.ts';
import { httpStream } from '../http.ts';

const world = createPayloadWorld();

/** POST /{endpoint}/runsync */
export const handler = httpStream(({ endpoint, owner, body, idempotencyKey, query }) => {
  return runSync(world, { endpoint, owner, body, idempotencyKey, wait: query.wait });
});
