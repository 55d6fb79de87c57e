import { createWorld } from '../../aws/world.ts';
import { requests } from '../../core/jobs/requests.ts';
import { http } from '../http.ts';

const world = createWorld();

/** GET /{endpoint}/requests */
export const handler = http(({ endpoint, query: { status, limit, cursor } }) => {
  return requests(world, { endpoint, status, limit, cursor });
});
