import { createPorts } from '../../aws/ports.ts';
import { withCallLimit } from '../../core/rates/call-limit.ts';
import { requests } from '../../core/status/requests.ts';
import { http } from '../http.ts';

const ports = createPorts();

/** GET /{endpoint}/requests */
export const handler = http(async ({ endpoint, caller, query: { status, limit, cursor } }) =>
  withCallLimit(ports, 'requests', { endpoint, caller }, async () =>
    requests(ports, { endpoint, status, limit, cursor }),
  ),
);
