import type { QueryValue } from '../validation.ts';
import { type JobRecordWorld, recordOf } from './record.ts';
import { type SubmitRequest, type SubmitWorld, submit } from './submit.ts';
import { parseWait, waitFor } from './wait.ts';

export interface RunSyncRequest extends SubmitRequest {
  /** The query parameter `wait`, as it came. */
  readonly wait?: QueryValue;
}

/**
 * Accepts a job and waits for its end.
 *
 * Input: endpoint, owner, body, idempotency key, wait. Output: the job record as JSON text; of a job that has not ended in time, as it is.
 *  1. Refuse what `/run` would refuse, and a wait out of bounds: nothing is stored before.
 *  2. Accept the job, or find the one that the idempotency key stands for.
 *  3. Wait. If the caller goes away meanwhile, the job goes on.
 */
export async function runSync(world: SubmitWorld & JobRecordWorld, request: RunSyncRequest): Promise<string> {
  const wait = parseWait(request.wait);
  const job = await submit(world, 'runsync', request);
  return recordOf(world, await waitFor(world, job, wait));
}
