import type { QueryValue } from '../validation.ts';
import type { FindWorld } from './find.ts';
import type { JobKey } from './job.ts';
import { type JobRecordWorld, recordOf } from './record.ts';
import { parseWait, waitFor } from './wait.ts';

export interface StatusSyncRequest extends JobKey {
  /** The query parameter `wait`, as it came. */
  readonly wait?: QueryValue;
}

/**
 * Reads a job as soon as it has ended.
 *
 * Input: endpoint, job id, wait. Output: the job record as JSON text; of a job that has not ended in time, as it is.
 */
export async function statusSync(
  world: FindWorld & JobRecordWorld,
  { wait, ...key }: StatusSyncRequest,
): Promise<string> {
  return recordOf(world, await waitFor(world, key, parseWait(wait)));
}
