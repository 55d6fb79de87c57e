import { createTemplatePorts } from '../../aws/templates/ports.ts';
import { update } from '../../core/templates/update.ts';
import { http } from '../http.ts';

const ports = createTemplatePorts();

/** POST /templates/{template}/update */
export const handler = http(({ owner, scopes, caller, callerId, callerName, template, body }) => {
  const by = { kind: caller, id: callerId, name: callerName };
  return update(ports, { owner, scopes, by, template, body: body.bytes.toString() });
});
