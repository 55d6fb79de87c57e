import { createTemplatePorts } from '../../aws/templates/ports.ts';
import { update } from '../../core/templates/update.ts';
import { http } from '../http.ts';

const ports = createTemplatePorts();

/** POST /templates/{template}/update */
export const handler = http(({ owner, scopes, template, body }) =>
  update(ports, { owner, scopes, template, body: body.bytes.toString() }),
);
