/** Waiting for a job to end, for the calls that promise to. */
import { waitLimits } from '../limits.ts';
import { milliseconds, parseQueryNumber, type QueryValue, validate } from '../validation.ts';
import { type FindPorts, find } from './find.ts';
import type { Job, JobKey } from './job.ts';
import { isOver, watch } from './watch.ts';

/**
 * The query parameter `wait`, in milliseconds.
 * @param otherwise its value where there is none
 * @throws InvalidRequest naming the value and the bounds
 */
export function parseWait(value: QueryValue | undefined, otherwise: number = waitLimits.default): number {
  if (value === undefined) return otherwise;
  return validate(milliseconds(waitLimits), parseQueryNumber(value), 'wait');
}

/**
 * Looks at the job until it has ended or the time is up.
 * @param hold is called before the first pause; it throws to refuse the wait
 * @param gone aborted when the client has closed its connection: the next look is the last
 * @returns the job as it is then
 * @throws as `find`, and as `hold`
 */
export async function waitFor(
  ports: FindPorts,
  key: JobKey,
  wait: number,
  hold: () => Promise<void>,
  gone?: AbortSignal,
): Promise<Job> {
  const watched = watch(ports, key, wait, gone);
  let { job } = await find(ports, key);
  while (!isOver(job) && !watched.isOver()) {
    await hold();
    job = await watched.next();
  }
  return job;
}
