import { createWorld } from '../../aws/world.ts';
import { admitCall } from '../../core/call-limit.ts';
import { requests } from '../../core/jobs/requests.ts';
import { http } from '../http.ts';

const world = createWorld();

/** GET /{endpoint}/requests */
export const handler = http(async ({ endpoint, caller, query: { status, limit, cursor } }) => {
  await admitCall(world, 'requests', { endpoint, caller });
  return requests(world, { endpoint, status, limit, cursor });
});
