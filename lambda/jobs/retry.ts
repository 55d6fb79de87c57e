import { createPayloadWorld } from '../../aws/payload-world.ts';
import { retry } from '../../core/jobs/retry.ts';
import { http } from '../http.ts';

const world = createPayloadWorld();

/** POST /{endpoint}/retry/{job} */
export const handler = http(({ endpoint, job }) => retry(world, { endpoint, id: job }));
