import { createPayloadWorld } from '../../aws/payload-world.ts';
import { input } from '../../core/jobs/input.ts';
import { httpStream } from '../http.ts';

const world = createPayloadWorld();

/** GET /{endpoint}/input/{job} */
export const handler = httpStream(({ endpoint, job }) => input(world, { endpoint, id: job }));
