import { createTemplateWorld } from '../../aws/template-world.ts';
import { read } from '../../core/templates/read.ts';
import { http } from '../http.ts';

const world = createTemplateWorld();

/** GET /templates/{template} */
export const handler = http(({ owner, endpoints: permitted, template }) => read(world, { owner, permitted, template }));
