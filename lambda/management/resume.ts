import { createPorts } from '../../aws/ports.ts';
import { resumeAs } from '../../core/management/resume.ts';
import { http } from '../http.ts';

const ports = createPorts();

/** POST /endpoints/{endpoint}/resume */
export const handler = http(({ endpoint, caller, callerId: id, callerName: name }) =>
  resumeAs(ports, endpoint, { kind: caller, id, name }),
);
