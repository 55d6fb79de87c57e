import { createSecretWorld } from '../../aws/secret-world.ts';
import { handleRunSync } from '../../core/http/runsync.ts';
import { httpStream } from '../http.ts';

const world = createSecretWorld();

/** POST /{endpoint}/runsync */
export const handler = httpStream((request, notes) => handleRunSync(world, request, notes));
