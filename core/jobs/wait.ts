/** Waiting for a job to end, for the calls that promise to. */
import { waitLimits, waitPauses } from '../limits.ts';
import { milliseconds, parseQueryNumber, type QueryValue, validate } from '../validation.ts';
import { type FindWorld, find } from './find.ts';
import type { Job, JobKey } from './job.ts';

/**
 * The query parameter `wait`, in milliseconds.
 * @param otherwise its value where there is none
 * @throws InvalidRequest naming the value and the bounds
 */
export function parseWait(value: QueryValue | undefined, otherwise: number = waitLimits.default): number {
  if (value === undefined) return otherwise;
  return validate(milliseconds(waitLimits), parseQueryNumber(value), 'wait');
}

export const isOver = (job: Job): boolean => 'finishedAt' in job;

/**
 * Looks at the job until it has ended or the time is up; the pauses in between grow.
 * @param hold is called before the first pause; it throws to refuse the wait
 * @returns the job as it is then
 * @throws as `find`, at the first look, and as `hold`
 */
export async function waitFor(world: FindWorld, key: JobKey, wait: number, hold: () => Promise<void>): Promise<Job> {
  const end = world.clock.now() + wait;
  let pause: number = waitPauses.first;
  for (;;) {
    const asked = world.clock.now();
    const { job } = await find(world, key);
    const now = world.clock.now();
    const left = end - now;
    if (isOver(job) || left <= 0) return job;
    await hold();
    // Where a look takes long there are many who look: most of the time is for the others.
    pause = Math.max(pause, waitPauses.perLook * (now - asked));
    pause = Math.min(pause, waitPauses.longest);
    await world.clock.pause(Math.min(pause, left));
    pause *= waitPauses.growth;
  }
}
