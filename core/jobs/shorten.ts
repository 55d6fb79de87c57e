import { ttlLimits } from '../limits.ts';
import { milliseconds, parseQueryNumber, type QueryValue, validate } from '../validation.ts';
import { type FindPorts, find } from './find.ts';
import type { Job, JobKey } from './job.ts';
import { permits } from './machine.ts';
import type { Moved } from './store.ts';

/** A job changes its state a few times in its life; each change can get in the way once. */
const TRIES = 5;

/**
 * The query parameter `ttl`, in milliseconds.
 * @throws InvalidRequest naming the value and the bounds
 */
export function parseTtl(value: QueryValue | undefined): number | undefined {
  return value === undefined ? undefined : validate(milliseconds(ttlLimits), parseQueryNumber(value), 'ttl');
}

/**
 * Lets the result of a job expire sooner than it would: `ttl` ms from now if the job has ended, otherwise `ttl` ms after
 * its end, and after that of each retry. One that would make it expire later changes nothing.
 * @returns the job as it is then
 * @throws as `find`
 */
export async function shorten(ports: FindPorts, key: JobKey, ttl: number): Promise<Job> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { job } = await find(ports, key);
    const move = limit(ports, job, ttl);
    if (!move) return job;
    const { moved, job: after } = await move;
    if (moved) return after;
  }
  throw new Error(`Job ${key.id} changed ${TRIES} times while its retention was being set.`);
}

/** @returns nothing if there is nothing to change */
function limit({ clock, jobs }: FindPorts, job: Job, ttl: number): Promise<Moved> | undefined {
  if ('finishedAt' in job) {
    const facts = { $finishedAt: job.finishedAt, $expiresAt: clock.now() + ttl };
    return permits('expireSooner', job, facts) ? jobs.move('expireSooner', job, facts) : undefined;
  }
  const facts = { $queuedAt: job.queuedAt, $retention: ttl };
  return permits('limitRetention', job, facts) ? jobs.move('limitRetention', job, facts) : undefined;
}
