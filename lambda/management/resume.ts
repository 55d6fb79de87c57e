import { createWorld } from '../../aws/world.ts';
import { resumeEndpoint } from '../../core/management/resume.ts';
import { http } from '../http.ts';

const world = createWorld();

/** POST /endpoints/{endpoint}/resume */
export const handler = http(({ endpoint }) => resumeEndpoint(world, endpoint));
