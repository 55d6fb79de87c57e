import type { Clock } from '../clock.ts';
import { ending, type LastPurge } from './ending.ts';
import type { Job } from './job.ts';
import type { Jobs, Moved } from './store.ts';

/** After a refused write the job is another one, and may be over again; it cannot change for ever. */
const TRIES = 5;

/**
 * Stores what a job has become by the clock. Nobody is told so before it is stored: a write that was on its way, by a
 * clock that was read a little earlier, could still undo it.
 * @returns the job as it is stored then; nothing if it has been removed
 */
export async function settle(
  { clock, jobs }: { readonly clock: Clock; readonly jobs: Jobs },
  job: Job,
  purge: LastPurge,
): Promise<Job | undefined> {
  let present: Job | undefined = job;
  for (let tries = 0; tries < TRIES && present; tries += 1) {
    const moved: Promise<Moved> | undefined = ending(present, purge, clock.now(), {
      purge: (facts) => jobs.move('purge', job, facts),
      expire: (facts) => jobs.move('expire', job, facts),
      timeout: (facts) => jobs.move('timeout', job, facts),
    });
    if (!moved) return present;
    present = (await moved).job;
  }
  return present;
}
