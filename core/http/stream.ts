import type { DrainWorld } from '../jobs/drain.ts';
import { stream } from '../jobs/stream.ts';
import type { WaitSlotWorld } from '../jobs/wait-slots.ts';
import type { JobRequest } from './request.ts';

/** GET and POST /{endpoint}/stream/{job} */
export const handleStream = (
  world: DrainWorld & WaitSlotWorld,
  { endpoint, job, query, gone }: JobRequest,
): ReturnType<typeof stream> => stream(world, { endpoint, id: job, from: query.from, wait: query.wait, gone });
