import { createPayloadWorld } from '../../aws/payload-world.ts';
import { handleStatusSync } from '../../core/http/status-sync.ts';
import { httpStream } from '../http.ts';

const world = createPayloadWorld();

/** GET and POST /{endpoint}/status-sync/{job} */
export const handler = httpStream((request, notes) => handleStatusSync(world, request, notes));
