import { createRollbackPorts } from '../../aws/management/ports.ts';
import { rollBack } from '../../core/management/rollback.ts';
import { http } from '../http.ts';

const ports = createRollbackPorts();

/** POST /endpoints/{endpoint}/rollback */
export const handler = http(({ owner, scopes, caller, callerId, callerName, endpoint, body }) => {
  const by = { kind: caller, id: callerId, name: callerName };
  return rollBack(ports, { owner, scopes, by, endpoint, body: body.bytes });
});
