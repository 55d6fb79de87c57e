import { createPayloadPorts } from '../../aws/payload-ports.ts';
import { systemClock } from '../../core/clock.ts';
import { handleOpenAi } from '../../core/http/calls.ts';
import { httpOpenAi } from '../http.ts';
import { reportSetAside } from '../set-aside.ts';

const ports = createPayloadPorts(systemClock, undefined, (item) => reportSetAside([item]));

/** GET and POST /{endpoint}/openai/{path+} */
export const handler = httpOpenAi((request, state) => handleOpenAi(ports, request, state));
