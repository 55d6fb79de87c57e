import { createWorld } from '../../aws/world.ts';
import { removeKey } from '../../core/management/keys.ts';
import { http } from '../http.ts';

const world = createWorld();

/** DELETE /keys/{key} */
export const handler = http(({ key }) => removeKey(world, key));
