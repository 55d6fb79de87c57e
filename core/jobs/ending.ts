/**
 * What a stored job is by now. Deadlines, purges and retention are decided by comparing clocks whenever a job is read,
 * so that nothing is late when the sweeper or DynamoDB's time-to-live is.
 */
import type { Endpoint } from '../endpoints/endpoint.ts';
import { JobExpired } from '../errors.ts';
import { REPORT_GRACE } from '../limits.ts';
import type { Job } from './job.ts';
import { apply, permits } from './machine.ts';

/** The job as of `now`: purged, expired or timed out where the stored state lags behind the clock. */
export function observe(job: Job, endpoint: Pick<Endpoint, 'generation' | 'purgedAt'>, now: number): Job {
  const purged = { $generation: endpoint.generation, $purgedAt: endpoint.purgedAt };
  if (permits('purge', job, purged)) return apply('purge', job, purged);
  if (permits('expire', job, { $now: now })) return apply('expire', job, { $now: now });
  // A report within the grace still wins, so until then the job is not called timed out.
  const overdue = { $now: now - REPORT_GRACE };
  if (permits('timeout', job, overdue)) return apply('timeout', job, overdue);
  return job;
}

/** @throws JobExpired if the job's result is no longer kept. */
export function assertKept(job: Job, now: number): void {
  if ('expiresAt' in job && now >= job.expiresAt) throw new JobExpired(job.id, job.expiresAt);
}
