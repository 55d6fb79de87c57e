import { type FindWorld, find } from './find.ts';
import type { JobKey } from './job.ts';
import { type JobRecordWorld, recordOf } from './record.ts';

/**
 * Reads a job.
 *
 * Input: endpoint and job id. Output: the job record as JSON text.
 *  1. Refuse an unknown endpoint, an unknown job, and one whose result has expired.
 *  2. Answer what the job is by now, and while it waits where it stands and why.
 */
export async function status(world: FindWorld & JobRecordWorld, key: JobKey): Promise<string> {
  const { job } = await find(world, key);
  return recordOf(world, job);
}
