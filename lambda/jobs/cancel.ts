import { createPorts } from '../../aws/ports.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import { admitCall } from '../../core/rates/call-limit.ts';
import { http } from '../http.ts';

const ports = createPorts();

/** POST /{endpoint}/cancel/{job} */
export const handler = http(async ({ endpoint, caller, job }) => {
  await admitCall(ports, 'cancel', { endpoint, caller });
  return cancel(ports, { endpoint, id: job });
});
