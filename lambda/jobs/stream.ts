import { createPayloadPorts } from '../../aws/payload-ports.ts';
import { handleStream } from '../../core/http/calls.ts';
import { httpPieces } from '../http.ts';
import { reportSetAside } from '../set-aside.ts';

const ports = createPayloadPorts({ onUnreadable: (item) => reportSetAside([item]) });

/** GET and POST /{endpoint}/stream/{job} */
export const handler = httpPieces((request) => handleStream(ports, request));
