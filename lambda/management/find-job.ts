import { createWorld } from '../../aws/world.ts';
import { findJob } from '../../core/management/find-job.ts';
import { http } from '../http.ts';

const world = createWorld();

/** GET /jobs/{job} */
export const handler = http(({ job, endpoints: permitted }) => findJob(world, { job, permitted }));
