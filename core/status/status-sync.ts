import type { FindPorts } from '../jobs/find.ts';
import type { JobKey } from '../jobs/job.ts';
import type { JsonText } from '../json/json.ts';
import type { QueryValue } from '../requests/validation.ts';
import { type WaitSlotPorts, withWaitSlot } from '../waiting-calls/slots.ts';
import { parseWait, waitFor } from '../waiting-calls/wait.ts';
import { type JobRecordPorts, recordOf } from './status.ts';

export interface StatusSyncRequest extends JobKey {
  /** The query parameter `wait`, unparsed. */
  readonly wait?: QueryValue | undefined;
  /** Aborted when the client closes its connection. */
  readonly gone?: AbortSignal | undefined;
}

/**
 * Waits for the end of a job and reads it.
 *
 * Input: endpoint, job id, wait. Output: the job record as JSON text, with the current state if the job has not
 * ended in time. A job that has already ended needs no slot.
 * @param admitted called when the call has its slot and begins to wait
 * @throws TooManyRequests if too many calls wait
 */
export async function statusSync(
  ports: FindPorts & JobRecordPorts & WaitSlotPorts,
  { wait: asked, gone, ...key }: StatusSyncRequest,
  admitted: () => void = () => undefined,
): Promise<JsonText> {
  const wait = parseWait(asked);
  return withWaitSlot(ports, { endpoint: key.endpoint, operation: 'status-sync' }, async (hold) => {
    const begin = async () => {
      await hold();
      admitted();
    };
    return recordOf(ports, await waitFor(ports, key, wait, begin, { gone }));
  });
}
