import { createPorts } from '../../aws/ports.ts';
import { purgeAs } from '../../core/jobs/purge-queue.ts';
import { withCallLimit } from '../../core/rates/call-limit.ts';
import { http } from '../http.ts';

const ports = createPorts();

/** POST /{endpoint}/purge-queue */
export const handler = http(async ({ endpoint, caller, callerId: id, callerName: name }) =>
  withCallLimit(ports, 'purge-queue', { endpoint, caller }, async () =>
    purgeAs(ports, endpoint, { kind: caller, id, name }),
  ),
);
