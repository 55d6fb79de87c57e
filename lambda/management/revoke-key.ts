import { createPorts } from '../../aws/ports.ts';
import { removeKey } from '../../core/management/keys.ts';
import { http } from '../http.ts';

const ports = createPorts();

/** DELETE /keys/{key} */
export const handler = http(({ key }) => removeKey(ports, key));
