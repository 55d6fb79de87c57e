/**
 * Applies deadlines, purges and retention to stored jobs. Every read of a job compares its deadlines with the
 * clock, so that a late sweeper or DynamoDB time-to-live delays nothing.
 */
import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { MAX_ATTEMPTS, REMOVE_AFTER, REPORT_GRACE, SECOND } from '../limits.ts';
import { JobExpired } from '../requests/errors.ts';
import { conflictTries } from '../stored-items/conflicts.ts';
import type { Job } from './job.ts';
import { permits } from './machine.ts';
import type { Jobs, Moved } from './store.ts';
import type { FactsOf } from './transitions.ts';

/** The last purge of an endpoint. */
export type LastPurge = Pick<Endpoint, 'generation' | 'purgedAt'>;

/** Returns the purge state for a job that runs or has ended, which no purge affects. */
export const noPurge = ({ generation }: Job): LastPurge => ({ generation, purgedAt: 0 });

/** Callbacks for each way in which a job ends without a worker or a client. */
export interface Endings<Result> {
  purge(facts: FactsOf<'purge'>): Result;
  expire(facts: FactsOf<'expire'>): Result;
  timeout(facts: FactsOf<'timeout'>): Result;
}

/**
 * Calls the callback for the way in which the job has ended by `now`.
 * @returns its result, or undefined if the job has not ended
 */
export function ending<Result>(
  job: Job,
  { generation, purgedAt }: LastPurge,
  now: number,
  endings: Endings<Result>,
): Result | undefined {
  const purged = { $generation: generation, $purgedAt: purgedAt };
  if (permits('purge', job, purged)) return endings.purge(purged);
  if (permits('expire', job, { $now: now })) return endings.expire({ $now: now });
  // A report within the grace period still counts, so the job times out only at the end of this period.
  const overdue = { $now: now - REPORT_GRACE };
  if (permits('timeout', job, overdue)) return endings.timeout(overdue);
  return undefined;
}

/**
 * Stores the end of a job that has expired, timed out or been purged. Callers see the end only after it is stored,
 * because a pending write with a slightly earlier time could still prevent it.
 * @param purge the last purge of the endpoint, if the job waits; by default, no purge affects the job
 * @returns the job as stored; undefined if it has been removed
 */
export async function finalize(
  { clock, jobs }: { readonly clock: Clock; readonly jobs: Jobs },
  job: Job,
  purge: LastPurge = noPurge(job),
): Promise<Job | undefined> {
  let present: Job | undefined = job;
  // A refused write means that the job has changed, and might have ended in another way.
  for (let tries = 0; tries < conflictTries.job && present; tries += 1) {
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

/** Returns whether the job has not ended, or its result is still retained. */
export const isKept = (job: Job, now: number): boolean => !('expiresAt' in job) || now < job.expiresAt;

/**
 * Refuses a job whose result is no longer retained.
 * @throws JobExpired
 */
export function assertKept(job: Job, now: number): void {
  if ('expiresAt' in job && !isKept(job, now)) throw new JobExpired(job.id, job.expiresAt);
}

/**
 * Returns when DynamoDB's time-to-live may remove an item that is no longer read.
 * @param over when the last guarantee about the item ends, in milliseconds since the epoch
 * @returns seconds since the epoch
 */
export const removeAfterEnd = (over: number): number => Math.ceil((over + REMOVE_AFTER) / SECOND);

/**
 * Returns when DynamoDB's time-to-live may remove a job that is submitted or retried now, and its input. Each
 * attempt can use the full `ttl` and `executionTimeout` of the job's policy.
 * @param now milliseconds since the epoch
 * @returns seconds since the epoch
 */
export const removeAfterLastUse = (
  { queueTtl, executionTimeout, retention }: Pick<Job, 'queueTtl' | 'executionTimeout' | 'retention'>,
  now: number,
): number => removeAfterEnd(now + MAX_ATTEMPTS * (queueTtl + executionTimeout) + retention);
