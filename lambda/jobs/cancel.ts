import { createWorld } from '../../aws/world.ts';
import { admitCall } from '../../core/call-limit.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import { http } from '../http.ts';

const world = createWorld();

/** POST /{endpoint}/cancel/{job} */
export const handler = http(async ({ endpoint, caller, job }) => {
  await admitCall(world, 'cancel', { endpoint, caller });
  return cancel(world, { endpoint, id: job });
});
