import { createWorld } from '../../aws/world.ts';
import { webhooks } from '../../core/webhooks/webhooks.ts';
import { http } from '../http.ts';

const world = createWorld();

/** GET /{endpoint}/webhooks */
export const handler = http(({ endpoint, query: { limit, cursor } }) => webhooks(world, { endpoint, limit, cursor }));
