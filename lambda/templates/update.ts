import { createTemplateWorld } from '../../aws/template-world.ts';
import { update } from '../../core/templates/update.ts';
import { http } from '../http.ts';

const world = createTemplateWorld();

/** POST /templates/{template}/update */
export const handler = http(({ owner, scopes, template, body }) =>
  update(world, { owner, scopes, template, body: body.bytes.toString() }),
);
