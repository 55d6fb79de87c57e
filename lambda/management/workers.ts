import { createHistoryPorts } from '../../aws/management/ports.ts';
import { workers } from '../../core/management/workers.ts';
import { http } from '../http.ts';

const ports = createHistoryPorts();

/** GET /endpoints/{endpoint}/workers */
export const handler = http(({ endpoint }) => workers(ports, endpoint));
