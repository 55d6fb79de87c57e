import { createPayloadWorld } from '../../aws/payload-world.ts';
import { statusSync } from '../../core/jobs/status-sync.ts';
import { httpStream } from '../http.ts';

const world = createPayloadWorld();

/** GET and POST /{endpoint}/status-sync/{job} */
export const handler = httpStream(({ endpoint, job, query }, notes) => {
  notes.isRefusable = true;
  const admitted = () => {
    notes.isRefusable = false;
  };
  return statusSync(world, { endpoint, id: job, wait: query.wait }, admitted);
});
