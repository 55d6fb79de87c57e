import { createPayloadWorld } from '../../aws/payload-world.ts';
import { stream } from '../../core/jobs/stream.ts';
import { httpPieces } from '../http.ts';

const world = createPayloadWorld();

/** GET and POST /{endpoint}/stream/{job} */
export const handler = httpPieces(({ endpoint, job, query }) => {
  return stream(world, { endpoint, id: job, from: query.from, wait: query.wait });
});
