import { REMOVE_AFTER, SECOND } from '../limits.ts';
import type { Job, JobKey } from './job.ts';

/** Names one delivery. */
export interface DeliveryKey extends JobKey {
  /**
   * Which end of the job it reports: how often the job had been retried by then. The number of the attempt would not do: a
   * job that is retried and then waits too long has ended twice in the same attempt.
   */
  readonly completion: number;
}

/** Who removes a whole queue does not want a call for each job in it. */
const isPurged = (job: Job) => job.status === 'CANCELLED' && job.code === 'PURGED';

/** The delivery that the job's present end calls for, if it has ended and any is wanted. */
export function deliveryOf(job: Job): DeliveryKey | undefined {
  if (job.webhook === undefined || !('finishedAt' in job) || isPurged(job)) return undefined;
  return { endpoint: job.endpoint, id: job.id, completion: job.retries };
}

/** `webhook-id`: the same for every try of one delivery, and of no other one. Endpoint and job ids have no full stops. */
export const messageId = ({ endpoint, id, completion }: DeliveryKey): string => `msg_${endpoint}_${id}_${completion}`;

/** When DynamoDB may remove the delivery, in seconds since the epoch. */
export const deliveryRemoval = (now: number, job: Pick<Job, 'removeAfter'>): number =>
  Math.max(job.removeAfter, Math.ceil((now + REMOVE_AFTER) / SECOND));
