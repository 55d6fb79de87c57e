import { createWorld } from '../../aws/world.ts';
import { endpoints } from '../../core/management/endpoints.ts';
import { http } from '../http.ts';

const world = createWorld();

/** GET /endpoints */
export const handler = http((request) => endpoints(world, request.endpoints));
