import { createPorts } from '../../aws/ports.ts';
import { health } from '../../core/jobs/health.ts';
import { http } from '../http.ts';

const ports = createPorts();

/** GET /{endpoint}/health */
export const handler = http(({ endpoint }) => health(ports, endpoint));
