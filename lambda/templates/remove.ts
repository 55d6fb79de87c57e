import { createTemplateWorld } from '../../aws/template-world.ts';
import { remove } from '../../core/templates/remove.ts';
import { http } from '../http.ts';

const world = createTemplateWorld();

/** DELETE /templates/{template} */
export const handler = http(({ owner, template }) => remove(world, { owner, template }));
