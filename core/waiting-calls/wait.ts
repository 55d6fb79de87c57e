/**
 * Waits for the end of a job: the wait of `/runsync`, `/status-sync` and OpenAI requests. `hold` takes the call's slot
 * (`slots.ts`). `waitFor` calls it before each pause, so a `/status-sync` of a job that has ended takes no slot.
 * `/runsync` and OpenAI requests take their slot before they store or find the job.
 */
import { type FindPorts, find } from '../jobs/find.ts';
import type { Job, JobKey } from '../jobs/job.ts';
import { waitLimits } from '../limits.ts';
import { milliseconds, parseQueryNumber, type QueryValue, validate } from '../requests/validation.ts';
import { hasEnded, watch } from './watch.ts';

/**
 * Parses the query parameter `wait`, in milliseconds.
 * @param defaultWait default value
 * @throws InvalidRequest with the value and the bounds
 */
export function parseWait(value: QueryValue | undefined, defaultWait: number = waitLimits.default): number {
  if (value === undefined) return defaultWait;
  return validate(milliseconds(waitLimits), parseQueryNumber(value), 'wait');
}

export interface WaitOptions {
  /** Aborted when the client closes its connection. The wait then ends with its next read of the job. */
  readonly gone?: AbortSignal | undefined;
  /** Whether this call has just stored the job, which therefore needs no read before the first pause. */
  readonly isNew?: boolean;
}

/**
 * Waits until the job has ended, the time is over or the client has disconnected.
 * @param wait maximum time in milliseconds
 * @param hold called before each pause; throws to refuse the wait
 * @returns the job as last read
 * @throws as `find`, and as `hold`
 */
export async function waitFor(
  ports: FindPorts,
  key: JobKey,
  wait: number,
  hold: () => Promise<void>,
  { gone, isNew = false }: WaitOptions = {},
): Promise<Job> {
  // The time of the call includes the first read.
  const watched = watch(ports, key, wait, { gone, isForEnd: true });
  let job = isNew ? undefined : (await find(ports, key)).job;
  while (!job || (!hasEnded(job) && !watched.isTimeUp())) {
    await hold();
    job = await watched.next();
  }
  return job;
}
