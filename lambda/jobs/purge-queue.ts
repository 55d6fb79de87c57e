import { createWorld } from '../../aws/world.ts';
import { admitCall } from '../../core/call-limit.ts';
import { purgeQueue } from '../../core/jobs/purge-queue.ts';
import { http } from '../http.ts';

const world = createWorld();

/** POST /{endpoint}/purge-queue */
export const handler = http(async ({ endpoint, caller }) => {
  await admitCall(world, 'purge-queue', { endpoint, caller });
  return purgeQueue(world, endpoint);
});
