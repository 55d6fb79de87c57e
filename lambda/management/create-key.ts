import { randomBytes } from 'node:crypto';
import { createWorld } from '../../aws/world.ts';
import { makeKey } from '../../core/management/keys.ts';
import { http } from '../http.ts';

const world = createWorld();

/** POST /keys */
export const handler = http(({ body }) => makeKey(world, body.bytes, randomBytes(64)));
