import { createEndpointsWorld } from '../../aws/management-world.ts';
import { endpoints } from '../../core/management/endpoints.ts';
import { http } from '../http.ts';

const world = createEndpointsWorld();

/** GET /endpoints */
export const handler = http(({ owner, endpoints: permitted }) => endpoints(world, { owner, permitted }));
