import { deployed } from '../endpoints/deployed.ts';
import { JobNotFound } from '../errors.ts';
import type { World } from '../world.ts';
import { JOB_ID } from './id.ts';
import type { JobKey } from './job.ts';
import { assertKept, observe } from './observe.ts';
import { recordOf } from './record.ts';

/**
 * Reads a job.
 *
 * Input: endpoint and job id. Output: the job record as JSON text.
 *  1. Refuse an unknown endpoint, an unknown job, and one whose result has expired.
 *  2. Answer what the job is by now, whatever the sweeper has got to.
 */
export async function status(
  world: Pick<World, 'clock' | 'endpoints' | 'jobs' | 'payloads'>,
  key: JobKey,
): Promise<string> {
  const endpoint = await deployed(world, key.endpoint);
  const stored = JOB_ID.test(key.id) ? await world.jobs.read(key) : undefined;
  if (!stored) throw new JobNotFound(key.endpoint, key.id);

  const now = world.clock.now();
  const job = observe(stored, endpoint, now);
  assertKept(job, now);
  return recordOf(world, job);
}
