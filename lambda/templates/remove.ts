import { createTemplatePorts } from '../../aws/templates/ports.ts';
import { remove } from '../../core/templates/remove.ts';
import { http } from '../http.ts';

const ports = createTemplatePorts();

/** DELETE /templates/{template} */
export const handler = http(({ owner, template }) => remove(ports, { owner, template }));
