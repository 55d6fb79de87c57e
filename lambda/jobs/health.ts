import { createPorts } from '../../aws/ports.ts';
import { health } from '../../core/status/health.ts';
import { http } from '../http.ts';

const ports = createPorts();

/** GET /{endpoint}/health */
export const handler = http(({ endpoint }) => health(ports, endpoint));
