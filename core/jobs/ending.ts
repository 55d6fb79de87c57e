/**
 * What the clock makes of a stored job. Deadlines, purges and retention are decided by comparing clocks whenever a job is
 * read, so that nothing is late when the sweeper or DynamoDB's time-to-live is.
 */
import type { Clock } from '../clock.ts';
import { conflictTries } from '../conflicts.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { JobExpired } from '../errors.ts';
import { MAX_ATTEMPTS, REMOVE_AFTER, REPORT_GRACE, SECOND } from '../limits.ts';
import type { Job } from './job.ts';
import { permits } from './machine.ts';
import type { Jobs, Moved } from './store.ts';
import type { FactsOf } from './transitions.ts';

/** The last purge of an endpoint. */
export type LastPurge = Pick<Endpoint, 'generation' | 'purgedAt'>;

/** For a job that runs or has ended: no purge concerns it. */
export const noPurge = ({ generation }: Job): LastPurge => ({ generation, purgedAt: 0 });

/** What to do about each way in which a job ends by the clock. */
export interface Endings<Result> {
  purge(facts: FactsOf<'purge'>): Result;
  expire(facts: FactsOf<'expire'>): Result;
  timeout(facts: FactsOf<'timeout'>): Result;
}

/** @returns what the one of the endings gives that the job has had by now, if it has had one */
export function ending<Result>(
  job: Job,
  { generation, purgedAt }: LastPurge,
  now: number,
  endings: Endings<Result>,
): Result | undefined {
  const purged = { $generation: generation, $purgedAt: purgedAt };
  if (permits('purge', job, purged)) return endings.purge(purged);
  if (permits('expire', job, { $now: now })) return endings.expire({ $now: now });
  // A report within the grace still wins, so until then the job is not called timed out.
  const overdue = { $now: now - REPORT_GRACE };
  if (permits('timeout', job, overdue)) return endings.timeout(overdue);
  return undefined;
}

/**
 * Stores the end that a job has had by the clock. No caller learns of the end before it is stored: a write on its way, by
 * a clock that was read a little earlier, could still undo it.
 * @param purge the endpoint of a job that waits. @default - no purge concerns the job
 * @returns the job as it is stored then; undefined if it has been removed
 */
export async function finalize(
  { clock, jobs }: { readonly clock: Clock; readonly jobs: Jobs },
  job: Job,
  purge: LastPurge = noPurge(job),
): Promise<Job | undefined> {
  let present: Job | undefined = job;
  // A refused write means that the job has changed, and may have ended in another way.
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

/** Whether the job has not ended, or its result is still kept. */
export const isKept = (job: Job, now: number): boolean => !('expiresAt' in job) || now < job.expiresAt;

/** @throws JobExpired if the job's result is no longer kept */
export function assertKept(job: Job, now: number): void {
  if ('expiresAt' in job && !isKept(job, now)) throw new JobExpired(job.id, job.expiresAt);
}

/**
 * When DynamoDB's time-to-live may remove an item that has no readers any more.
 * @param over when the last promise about the item ends, in milliseconds since the epoch
 * @returns seconds since the epoch
 */
export const removeAfterEnd = (over: number): number => Math.ceil((over + REMOVE_AFTER) / SECOND);

/**
 * When DynamoDB's time-to-live may remove a job that is submitted or retried now, and its input: each attempt may wait
 * and run for as long as the policy of the job allows.
 * @param now milliseconds since the epoch
 * @returns seconds since the epoch
 */
export const removeAfterLastUse = (
  { queueTtl, executionTimeout, retention }: Pick<Job, 'queueTtl' | 'executionTimeout' | 'retention'>,
  now: number,
): number => removeAfterEnd(now + MAX_ATTEMPTS * (queueTtl + executionTimeout) + retention);
