/** The query parameter `ttl` of `/status`, with which a client shortens the retention of a result. */

import { type FindPorts, type Found, find } from '../jobs/find.ts';
import type { Job, JobKey } from '../jobs/job.ts';
import { permits } from '../jobs/machine.ts';
import type { Moved } from '../jobs/store.ts';
import { ttlLimits } from '../limits.ts';
import { milliseconds, parseQueryNumber, type QueryValue, validate } from '../requests/validation.ts';
import { CONFLICT, conflictTries, retryOnConflict } from '../stored-items/conflicts.ts';

/**
 * Returns the query parameter `ttl`, in milliseconds.
 * @throws InvalidRequest with the value and the bounds
 */
export function parseTtl(value: QueryValue | undefined): number | undefined {
  return value === undefined ? undefined : validate(milliseconds(ttlLimits), parseQueryNumber(value), 'ttl');
}

/**
 * Shortens the retention of a job's result: it expires `ttl` ms from now if the job has ended, otherwise `ttl` ms
 * after its end and after the end of each retry. A `ttl` that would lengthen the retention changes nothing.
 * @returns the changed job, and its endpoint if the job waits
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

/**
 * Starts the transition that shortens the retention.
 * @returns undefined if there is nothing to change
 */
function limit({ clock, jobs }: FindPorts, job: Job, ttl: number): Promise<Moved> | undefined {
  if ('finishedAt' in job) {
    const facts = { $finishedAt: job.finishedAt, $expiresAt: clock.now() + ttl };
    return permits('expireSooner', job, facts) ? jobs.move('expireSooner', job, facts) : undefined;
  }
  const facts = { $queuedAt: job.queuedAt, $retention: ttl };
  return permits('limitRetention', job, facts) ? jobs.move('limitRetention', job, facts) : undefined;
}
