import type { JobRecordPorts } from '../jobs/record.ts';
import { runSync } from '../jobs/runsync.ts';
import type { SubmitPorts } from '../jobs/submit.ts';
import type { WaitSlotPorts } from '../jobs/wait-slots.ts';
import type { JsonText } from '../json.ts';
import type { JobRequest } from './request.ts';
import type { HeaderNotes } from './respond.ts';

/** POST /{endpoint}/runsync. The call may be refused until its job may be stored, and needs its body until it is. */
export function handleRunSync(
  ports: SubmitPorts & JobRecordPorts & WaitSlotPorts,
  { endpoint, owner, body, idempotencyKey, query, gone }: JobRequest,
  notes: HeaderNotes,
): Promise<JsonText> {
  notes.isRefusable = true;
  const accepted = (id: string) => {
    notes.jobId = id;
    notes.isRefusable = false;
  };
  const request = { endpoint, owner, body: body.bytes, idempotencyKey, wait: query.wait, gone };
  return runSync(ports, request, accepted, () => body.release());
}
