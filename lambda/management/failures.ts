import { createPorts } from '../../aws/ports.ts';
import { failures } from '../../core/history/failures.ts';
import { http } from '../http.ts';

const ports = createPorts();

/** GET /endpoints/{endpoint}/failures */
export const handler = http(({ endpoint, query: { since, until, cursor } }) =>
  failures(ports, { endpoint, since, until, cursor }),
);
