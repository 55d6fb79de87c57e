import { REMOVE_AFTER, SECOND } from '../limits.ts';
import type { Job, JobKey } from './job.ts';

/** Identifies one delivery. */
export interface DeliveryKey extends JobKey {
  /**
   * Number of the completion that the delivery reports, which is the number of retries before this completion. The
   * attempt number is not unique: a job that is retried and then waits too long ends twice in the same attempt.
   */
  readonly completion: number;
}

/**
 * Returns whether a purge cancelled the job. Such jobs have no deliveries: a client that purges a queue does not want a
 * call for each job.
 */
export const isPurged = (job: Job): boolean => job.status === 'CANCELLED' && job.code === 'PURGED';

/** Returns the delivery that reports the job's last completion, if the job has ended and has a webhook. */
export function deliveryOf(job: Job): DeliveryKey | undefined {
  if (job.webhook === undefined || !('finishedAt' in job) || isPurged(job)) return undefined;
  return { endpoint: job.endpoint, id: job.id, completion: job.retries };
}

/**
 * Returns the `webhook-id` header: the same for all attempts of one delivery, and unique to it. Endpoint and job
 * ids have no full stops.
 */
export const messageId = ({ endpoint, id, completion }: DeliveryKey): string => `msg_${endpoint}_${id}_${completion}`;

/**
 * Returns when DynamoDB may remove the delivery.
 * @returns seconds since the epoch
 */
export const deliveryRemoval = (now: number, job: Pick<Job, 'removeAfter'>): number =>
  Math.max(job.removeAfter, Math.ceil((now + REMOVE_AFTER) / SECOND));
