import { createTemplateWorld } from '../../aws/template-world.ts';
import { list } from '../../core/templates/list.ts';
import { http } from '../http.ts';

const world = createTemplateWorld();

/** GET /templates */
export const handler = http(({ owner, query: { category, isPublic, isServerless, limit, cursor } }) =>
  list(world, { owner, category, isPublic, isServerless, limit, cursor }),
);
