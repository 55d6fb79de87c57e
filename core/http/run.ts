import { run } from '../jobs/run.ts';
import type { SubmitPorts } from '../jobs/submit.ts';
import type { JobRequest } from './request.ts';
import type { HeaderNotes } from './respond.ts';

/** POST /{endpoint}/run. The call may be refused until the end, and its answer is small: the status waits for it. */
export function handleRun(
  ports: SubmitPorts,
  { endpoint, owner, body, idempotencyKey }: JobRequest,
  notes: HeaderNotes,
): Promise<object> {
  notes.isRefusable = true;
  return run(ports, { endpoint, owner, body: body.bytes, idempotencyKey }, (id) => {
    notes.jobId = id;
  });
}
