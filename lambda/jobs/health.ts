import { createWorld } from '../../aws/world.ts';
import { health } from '../../core/jobs/health.ts';
import { http } from '../http.ts';

const world = createWorld();

/** GET /{endpoint}/health */
export const handler = http(({ endpoint }) => health(world, endpoint));
