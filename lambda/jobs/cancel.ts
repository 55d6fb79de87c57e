import { createPorts } from '../../aws/ports.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import { withCallLimit } from '../../core/rates/call-limit.ts';
import { http } from '../http.ts';

const ports = createPorts();

/** POST /{endpoint}/cancel/{job} */
export const handler = http(async ({ endpoint, caller, job }) =>
  withCallLimit(ports, 'cancel', { endpoint, caller }, async () => cancel(ports, { endpoint, id: job })),
);
