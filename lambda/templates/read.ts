import { createTemplatePorts } from '../../aws/templates/ports.ts';
import { read } from '../../core/templates/read.ts';
import { http } from '../http.ts';

const ports = createTemplatePorts();

/** GET /templates/{template} */
export const handler = http(({ owner, endpoints: permitted, template }) => read(ports, { owner, permitted, template }));
