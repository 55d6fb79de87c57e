import { createPayloadPorts } from '../../aws/payload-ports.ts';
import { handleStatusSync } from '../../core/http/calls.ts';
import { httpStream } from '../http.ts';

const ports = createPayloadPorts();

/** GET and POST /{endpoint}/status-sync/{job} */
export const handler = httpStream((request, state) => handleStatusSync(ports, request, state));
