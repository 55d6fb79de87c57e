import { createWorld } from '../../aws/world.ts';
import { purgeQueue } from '../../core/jobs/purge-queue.ts';
import { http } from '../http.ts';

const world = createWorld();

/** POST /{endpoint}/purge-queue */
export const handler = http(({ endpoint }) => purgeQueue(world, endpoint));
