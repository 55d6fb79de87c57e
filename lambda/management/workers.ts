import { createHistoryWorld } from '../../aws/management-world.ts';
import { workers } from '../../core/management/workers.ts';
import { http } from '../http.ts';

const world = createHistoryWorld();

/** GET /endpoints/{endpoint}/workers */
export const handler = http(({ endpoint }) => workers(world, endpoint));
