import type { Clock } from '../clock.ts';
import type { RunningJob } from './job.ts';
import { store } from './payload.ts';
import { removeAfterEnd } from './remove-after.ts';
import type { Jobs, Objects, Payloads } from './store.ts';

/**
 * Records how far a job is: readers see it as the output until the job ends.
 *
 * Input: the job as taken, the progress as JSON text. Output: whether the job is still this worker's.
 *  1. Store what is too large for the job, under a name that the final output does not use.
 *  2. Move the job, fenced by worker and attempt.
 */
export async function progress(
  ports: { readonly clock: Clock; readonly jobs: Jobs; readonly objects: Objects; readonly payloads: Payloads },
  job: RunningJob,
  output: string,
): Promise<boolean> {
  const removeAfter = removeAfterEnd(job.executionDeadline + job.retention);
  const $output = await store(ports, job, `progress#${job.attempt}`, Buffer.from(output), removeAfter);
  const facts = { $worker: job.worker, $attempt: job.attempt, $output };
  return (await ports.jobs.move('progress', job, facts)).moved;
}
