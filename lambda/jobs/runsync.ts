import { createSecretPorts } from '../../aws/secret-ports.ts';
import { handleRunSync } from '../../core/http/calls.ts';
import { httpStream } from '../http.ts';

const ports = createSecretPorts();

/** POST /{endpoint}/runsync */
export const handler = httpStream((request, state) => handleRunSync(ports, request, state));
