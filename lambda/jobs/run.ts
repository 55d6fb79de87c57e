import { createSecretWorld } from '../../aws/secret-world.ts';
import { handleRun } from '../../core/http/run.ts';
import { http } from '../http.ts';

const world = createSecretWorld();

/** POST /{endpoint}/run */
export const handler = http((request, notes) => handleRun(world, request, notes));
