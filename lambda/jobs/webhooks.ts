import { createPorts } from '../../aws/ports.ts';
import { webhooks } from '../../core/webhooks/webhooks.ts';
import { http } from '../http.ts';

const ports = createPorts();

/** GET /{endpoint}/webhooks */
export const handler = http(({ endpoint, query: { limit, cursor } }) => webhooks(ports, { endpoint, limit, cursor }));
