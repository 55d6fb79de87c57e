import type { FindPorts } from '../jobs/find.ts';
import type { JobRecordPorts } from '../jobs/record.ts';
import { statusSync } from '../jobs/status-sync.ts';
import type { WaitSlotPorts } from '../jobs/wait-slots.ts';
import type { JsonText } from '../json.ts';
import type { JobRequest } from './request.ts';
import type { HeaderNotes } from './respond.ts';

/** GET and POST /{endpoint}/status-sync/{job}. The call may be refused until it has its slot. */
export function handleStatusSync(
  ports: FindPorts & JobRecordPorts & WaitSlotPorts,
  { endpoint, job, query, gone }: JobRequest,
  notes: HeaderNotes,
): Promise<JsonText> {
  notes.isRefusable = true;
  const admitted = () => {
    notes.isRefusable = false;
  };
  return statusSync(ports, { endpoint, id: job, wait: query.wait, gone }, admitted);
}
