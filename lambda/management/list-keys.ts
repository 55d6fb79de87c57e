import { createWorld } from '../../aws/world.ts';
import { listKeys } from '../../core/management/keys.ts';
import { http } from '../http.ts';

const world = createWorld();

/** GET /keys */
export const handler = http(() => listKeys(world));
