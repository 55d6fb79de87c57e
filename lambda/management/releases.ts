import { createHistoryWorld } from '../../aws/management-world.ts';
import { releases } from '../../core/management/releases.ts';
import { http } from '../http.ts';

const world = createHistoryWorld();

/** GET /endpoints/{endpoint}/releases */
export const handler = http(({ endpoint, query: { limit, cursor } }) => releases(world, { endpoint, limit, cursor }));
