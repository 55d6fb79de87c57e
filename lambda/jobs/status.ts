import { createPayloadWorld } from '../../aws/payload-world.ts';
import { status } from '../../core/jobs/status.ts';
import { httpStream } from '../http.ts';

const world = createPayloadWorld();

/** GET and POST /{endpoint}/status/{job} */
export const handler = httpStream(({ endpoint, job }) => status(world, { endpoint, id: job }));
