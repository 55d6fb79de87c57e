import { run } from '../jobs/run.ts';
import type { SubmitWorld } from '../jobs/submit.ts';
import type { JobRequest } from './request.ts';
import type { HeaderNotes } from './respond.ts';

/** POST /{endpoint}/run */
export const handleRun = (
  world: SubmitWorld,
  { endpoint, owner, body, idempotencyKey }: JobRequest,
  notes: HeaderNotes,
): Promise<object> =>
  run(world, { endpoint, owner, body: body.bytes, idempotencyKey }, (id) => {
    notes.jobId = id;
  });
