import { createPayloadWorld } from '../../aws/payload-world.ts';
import { systemClock } from '../../core/clock.ts';
import { stream } from '../../core/jobs/stream.ts';
import { httpPieces } from '../http.ts';
import { reportSetAside } from '../set-aside.ts';

const world = createPayloadWorld(systemClock, undefined, (item) => reportSetAside([item]));

/** GET and POST /{endpoint}/stream/{job} */
export const handler = httpPieces(({ endpoint, job, query }) => {
  return stream(world, { endpoint, id: job, from: query.from, wait: query.wait });
});
