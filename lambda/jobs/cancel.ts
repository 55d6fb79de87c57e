import { createWorld } from '../../aws/world.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import { http } from '../http.ts';

const world = createWorld();

/** POST /{endpoint}/cancel/{job} */
export const handler = http(({ endpoint, job }) => cancel(world, { endpoint, id: job }));
