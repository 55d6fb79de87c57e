import { WorkerLost } from '../errors.ts';
import type { JsonText } from '../json.ts';
import type { SubmitRequest } from '../submission/request.ts';
import { type SubmitPorts, submit } from '../submission/submit.ts';
import type { QueryValue } from '../validation.ts';
import { type WaitSlotPorts, withWaitSlot } from '../waits/slots.ts';
import { parseWait, waitFor } from '../waits/wait.ts';
import { type JobRecordPorts, recordOf } from './status.ts';

export interface RunSyncRequest extends SubmitRequest {
  /** The query parameter `wait`, as it came. */
  readonly wait?: QueryValue;
  /** Aborted when the client has closed its connection. */
  readonly gone?: AbortSignal;
}

const NO_BODY = Buffer.alloc(0);

/**
 * Accepts a job and waits for its end.
 *
 * Input: endpoint, owner, body, idempotency key, wait. Output: the job record as JSON text; of a job that has not ended in time, as it is.
 *  1. Refuse what `/run` would refuse, a wait out of bounds, and a call for which no slot is free: nothing is stored before.
 *  2. Accept the job, or find the one that the idempotency key stands for.
 *  3. Wait. If the client closes its connection meanwhile, the job continues and the call ends.
 * @param mayBeStored gets the job's id before the job is stored
 * @param onSubmitted is called when the body is needed no more
 * @throws TooManyRequests if too many calls wait
 * @throws WorkerLost if that is how the job has ended: the service has failed, not the job
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
    const submitted = await submit(ports, 'runsync', request, mayBeStored, hold);
    // A call that waits holds no body in memory.
    request.body = NO_BODY;
    onSubmitted();
    const job = await waitFor(ports, submitted, wait, hold, gone);
    const record = await recordOf(ports, job);
    if (job.status === 'FAILED' && job.code === 'WORKER_LOST') throw new WorkerLost(JSON.parse(String(record)));
    return record;
  });
}
