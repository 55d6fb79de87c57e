import { createPayloadPorts } from '../../aws/payload-ports.ts';
import { handleOpenAi } from '../../core/http/calls.ts';
import { httpOpenAi } from '../http.ts';
import { reportSetAside } from '../set-aside.ts';

const ports = createPayloadPorts({ onUnreadable: (item) => reportSetAside([item]) });

/** GET and POST /{endpoint}/openai/{path+} */
export const handler = httpOpenAi((request, state) => handleOpenAi(ports, request, state));
