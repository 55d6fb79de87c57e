import { createSecretWorld } from '../../aws/secret-world.ts';
import { run } from '../../core/jobs/run.ts';
import { http } from '../http.ts';

const world = createSecretWorld();

/** POST /{endpoint}/run */
export const handler = http(({ endpoint, owner, body, idempotencyKey }, notes) =>
  run(world, { endpoint, owner, body, idempotencyKey }, (id) => {
    notes.jobId = id;
  }),
);
