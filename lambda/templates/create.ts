import { createTemplateWorld } from '../../aws/template-world.ts';
import { create } from '../../core/templates/create.ts';
import { http } from '../http.ts';

const world = createTemplateWorld();

/** POST /templates */
export const handler = http(({ owner, scopes, body }) => create(world, { owner, scopes, body: body.bytes.toString() }));
