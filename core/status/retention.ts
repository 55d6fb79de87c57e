/** The query parameter `ttl` of `/status`, by which a client has a result removed sooner. */
import { CONFLICT, conflictTries, retryOnConflict } from '../conflicts.ts';
import { type FindPorts, type Found, find } from '../jobs/find.ts';
import type { Job, JobKey } from '../jobs/job.ts';
import { permits } from '../jobs/machine.ts';
import type { Moved } from '../jobs/store.ts';
import { ttlLimits } from '../limits.ts';
import { milliseconds, parseQueryNumber, type QueryValue, validate } from '../validation.ts';

/**
 * The query parameter `ttl`, in milliseconds.
 * @throws InvalidRequest naming the value and the bounds
 */
export function parseTtl(value: QueryValue | undefined): number | undefined {
  return value === undefined ? undefined : validate(milliseconds(ttlLimits), parseQueryNumber(value), 'ttl');
}

/**
 * Lets the result of a job expire sooner: `ttl` ms from now if the job has ended, otherwise `ttl` ms after its end, and
 * after that of each retry. A `ttl` that would make it expire later changes nothing.
 * @returns the job as it is then, and its endpoint if it waits
 * @throws as `find`
 */
export const shorten = (ports: FindPorts, key: JobKey, ttl: number): Promise<Pick<Found, 'job' | 'endpoint'>> =>
  retryOnConflict(`job ${key.id}`, conflictTries.job, async () => {
    const found = await find(ports, key);
    const move = limit(ports, found.job, ttl);
    if (!move) return found;
    const { moved, job } = await move;
    return moved ? { ...found, job } : CONFLICT;
  });

/** @returns nothing if there is nothing to change */
function limit({ clock, jobs }: FindPorts, job: Job, ttl: number): Promise<Moved> | undefined {
  if ('finishedAt' in job) {
    const facts = { $finishedAt: job.finishedAt, $expiresAt: clock.now() + ttl };
    return permits('expireSooner', job, facts) ? jobs.move('expireSooner', job, facts) : undefined;
  }
  const facts = { $queuedAt: job.queuedAt, $retention: ttl };
  return permits('limitRetention', job, facts) ? jobs.move('limitRetention', job, facts) : undefined;
}
