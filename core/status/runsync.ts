import type { JsonText } from '../json/json.ts';
import { WorkerLost } from '../requests/errors.ts';
import type { QueryValue } from '../requests/validation.ts';
import type { SubmitRequest } from '../submission/request.ts';
import { parseJobRequest, type SubmitPorts, submit } from '../submission/submit.ts';
import { type WaitSlotPorts, withWaitSlot } from '../waiting-calls/slots.ts';
import { parseWait, waitFor } from '../waiting-calls/wait.ts';
import { type JobRecordPorts, recordOf } from './status.ts';

export interface RunSyncRequest extends SubmitRequest {
  /** The query parameter `wait`, unparsed. */
  readonly wait?: QueryValue | undefined;
  /** Aborted when the client closes its connection. */
  readonly gone?: AbortSignal | undefined;
}

const NO_BODY = Buffer.alloc(0);

/**
 * Accepts a job and waits for its end.
 *
 * Input: endpoint, owner, body, idempotency key, wait. Output: the job record as JSON text, with the current state
 * if the job has not ended in time.
 *  1. Refuse every request that `/run` refuses, a wait out of bounds, and a call without a free slot, before
 *     anything is stored.
 *  2. Accept the job, or find the job of the idempotency key.
 *  3. Wait. If the client closes its connection, the call ends and the job continues.
 * @param mayBeStored called with the job's id before the job is stored
 * @param onSubmitted called when the body is no longer needed
 * @throws TooManyRequests if too many calls wait
 * @throws WorkerLost if the job FAILED because all its workers were lost, which is a failure of the service
 */
export async function runSync(
  ports: SubmitPorts & JobRecordPorts & WaitSlotPorts,
  { wait: asked, gone, ...request }: RunSyncRequest,
  mayBeStored?: (id: string) => void,
  onSubmitted: () => void = () => undefined,
): Promise<JsonText> {
  const wait = parseWait(asked);
  const { endpoint } = request;
  return withWaitSlot(ports, { endpoint, operation: 'runsync' }, async (hold) => {
    const parse = () => parseJobRequest(ports, request);
    const submitted = await submit(ports, 'runsync', request, parse, { mayBeStored, admit: hold });
    // Release the body, because a waiting call must not hold it in memory.
    request.body = NO_BODY;
    onSubmitted();
    const job = await waitFor(ports, submitted, wait, hold, { gone, isNew: submitted.isNew });
    const isLost = job.status === 'FAILED' && job.code === 'WORKER_LOST';
    // An error has no output: parsing chunks of 20 MB would hold up the process, and change numbers.
    const record = await recordOf(ports, isLost ? { ...job, aggregates: undefined } : job);
    if (isLost) throw new WorkerLost(JSON.parse(String(record)));
    return record;
  });
}
