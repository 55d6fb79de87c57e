import { createSecretWorld } from '../../aws/secret-world.ts';
import { runSync } from '../../core/jobs/runsync.ts';
import { httpStream } from '../http.ts';

const world = createSecretWorld();

/** POST /{endpoint}/runsync */
export const handler = httpStream(({ endpoint, owner, body, idempotencyKey, query }, notes) => {
  notes.isRefusable = true;
  const accepted = (id: string) => {
    notes.jobId = id;
    notes.isRefusable = false;
  };
  return runSync(world, { endpoint, owner, body, idempotencyKey, wait: query.wait }, accepted);
});
