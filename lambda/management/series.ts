import { createPorts } from '../../aws/ports.ts';
import { series } from '../../core/usage/series.ts';
import { http } from '../http.ts';

const ports = createPorts();

/** GET /endpoints/{endpoint}/series */
export const handler = http(({ endpoint, query: { since, until, step } }) =>
  series(ports, { endpoint, since, until, step }),
);
