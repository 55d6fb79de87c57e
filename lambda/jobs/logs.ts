import { createLogs } from '../../aws/logs.ts';
import { createWorld } from '../../aws/world.ts';
import { logs } from '../../core/jobs/logs.ts';
import { http } from '../http.ts';

const world = Object.assign(createWorld(), { logs: createLogs() });

/** GET /{endpoint}/logs/{job} */
export const handler = http(({ endpoint, job, query }) => {
  return logs(world, { endpoint, id: job, limit: query.limit, cursor: query.cursor });
});
