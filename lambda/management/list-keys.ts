import { createPorts } from '../../aws/ports.ts';
import { listKeys } from '../../core/management/keys.ts';
import { http } from '../http.ts';

const ports = createPorts();

/** GET /keys */
export const handler = http(() => listKeys(ports));
