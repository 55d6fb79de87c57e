import { createPorts } from '../../aws/ports.ts';
import { costs } from '../../core/usage/costs.ts';
import { http } from '../http.ts';

const ports = createPorts();

/** GET /costs */
export const handler = http(({ query, endpoints: permitted }) => costs(ports, { ...query, permitted }));
