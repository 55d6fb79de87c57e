import { createSecretPorts } from '../../aws/secret-ports.ts';
import { handleRun } from '../../core/http/calls.ts';
import { http } from '../http.ts';

const ports = createSecretPorts();

/** POST /{endpoint}/run */
export const handler = http((request, state) => handleRun(ports, request, state));
