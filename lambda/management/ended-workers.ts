import { createPorts } from '../../aws/ports.ts';
import { listEndedWorkers } from '../../core/history/list-workers.ts';
import { http } from '../http.ts';

const ports = createPorts();

/** GET /endpoints/{endpoint}/workers/ended */
export const handler = http(({ endpoint, query: { since, until, limit, cursor } }) =>
  listEndedWorkers(ports, { endpoint, since, until, limit, cursor }),
);
