import { randomBytes } from 'node:crypto';
import { environment } from '../../aws/environment.ts';
import { createPorts } from '../../aws/ports.ts';
import { makeKey } from '../../core/management/keys.ts';
import { http } from '../http.ts';

const { clock, keys } = createPorts();
const hasHistory = Number(environment('HISTORY_DAYS')) > 0;

/** POST /keys */
export const handler = http(({ body }) => makeKey({ clock, keys, hasHistory }, body.bytes, randomBytes(64)));
