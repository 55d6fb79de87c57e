import { createPorts } from '../../aws/ports.ts';
import { resumeEndpoint } from '../../core/management/resume.ts';
import { http } from '../http.ts';

const ports = createPorts();

/** POST /endpoints/{endpoint}/resume */
export const handler = http(({ endpoint }) => resumeEndpoint(ports, endpoint));
