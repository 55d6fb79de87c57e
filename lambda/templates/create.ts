import { createTemplatePorts } from '../../aws/templates/ports.ts';
import { create } from '../../core/templates/create.ts';
import { http } from '../http.ts';

const ports = createTemplatePorts();

/** POST /templates */
export const handler = http(({ owner, scopes, body }) => create(ports, { owner, scopes, body: body.bytes.toString() }));
