import { createTemplatePorts } from '../../aws/templates/ports.ts';
import { list } from '../../core/templates/list.ts';
import { http } from '../http.ts';

const ports = createTemplatePorts();

/** GET /templates */
export const handler = http(({ owner, query: { category, isPublic, isServerless, limit, cursor } }) =>
  list(ports, { owner, category, isPublic, isServerless, limit, cursor }),
);
