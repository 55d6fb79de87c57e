import { createPayloadWorld } from '../../aws/payload-world.ts';
import { status } from '../../core/jobs/status.ts';
import { httpStream } from '../http.ts';

const world = createPayloadWorld();

/** GET and POST /{endpoint}/status/{job} */
export const handler = httpStream(({ endpoint, job, query }) => {
  return status(world, { endpoint, id: job, ttl: query.ttl });
});
