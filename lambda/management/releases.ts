import { createHistoryPorts } from '../../aws/management/ports.ts';
import { releases } from '../../core/management/releases.ts';
import { http } from '../http.ts';

const ports = createHistoryPorts();

/** GET /endpoints/{endpoint}/releases */
export const handler = http(({ endpoint, query: { limit, cursor } }) => releases(ports, { endpoint, limit, cursor }));
