import { randomBytes } from 'node:crypto';
import { createPorts } from '../../aws/ports.ts';
import { makeKey } from '../../core/management/keys.ts';
import { http } from '../http.ts';

const ports = createPorts();

/** POST /keys */
export const handler = http(({ body }) => makeKey(ports, body.bytes, randomBytes(64)));
