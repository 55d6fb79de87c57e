import { type DeliveryKey, deliveryOf } from '../jobs/delivery-key.ts';
import type { Job, JobChange } from '../jobs/job.ts';
import { MINUTE, REDRIVE_AFTER, REPORT_GRACE } from '../limits.ts';

export interface Due {
  readonly job: string;
  /** Due time in minutes since the epoch, rounded up so that no check is too early. */
  readonly minute: number;
  /** Number of the completion that the due delivery reports; absent if the job itself is due. */
  readonly completion?: number;
}

/** Jobs and deliveries that are due in the same minute. */
export interface DueJobs {
  readonly endpoint: string;
  /** Name of the entry. */
  readonly due: string;
  readonly minute: number;
  readonly jobs: readonly string[];
  readonly deliveries: readonly DeliveryKey[];
}

function deadlineOf(job: Job | undefined): number | undefined {
  if (job?.status === 'IN_QUEUE') return job.queueDeadline;
  if (job?.status === 'IN_PROGRESS') return job.executionDeadline + REPORT_GRACE + 1;
  return undefined;
}

/** Returns due times of deliveries, for the sweeper to check that each delivery has finished. */
const deliveriesDue = (changes: readonly JobChange[], now: number): Due[] =>
  changes.flatMap(({ before, after }) => {
    const delivery = after && deliveryOf(after);
    if (!delivery || !before || 'finishedAt' in before) return [];
    return [{ job: after.id, minute: Math.ceil((now + REDRIVE_AFTER) / MINUTE), completion: delivery.completion }];
  });

/** Returns the jobs and deliveries to check because of a batch of changes. */
export const duesOf = (changes: readonly JobChange[], now: number): Due[] => [
  ...deadlinesOf(changes),
  ...deliveriesDue(changes, now),
];

const deadlinesOf = (changes: readonly JobChange[]): Due[] =>
  withNewDeadline(changes).map(({ job, deadline }) => ({ job: job.id, minute: Math.ceil(deadline / MINUTE) }));

/**
 * Returns the jobs that have a new deadline after a batch of changes. A job that begins and ends within the batch
 * has no new deadline.
 */
export function withNewDeadline(changes: readonly JobChange[]): { job: Job; deadline: number }[] {
  const byJob = Map.groupBy(changes, ({ before, after }) => (after ?? before)?.id);
  return [...byJob.values()].flatMap((ofJob) => {
    const job = ofJob.at(-1)?.after;
    const deadline = deadlineOf(job);
    return job === undefined || deadline === undefined || deadline === deadlineOf(ofJob[0]?.before)
      ? []
      : [{ job, deadline }];
  });
}

/** The store of deadlines by minute, so that a sweep reads only the jobs and deliveries that are due. */
export interface Deadlines {
  /**
   * Stores entries.
   * @param batch name of the batch; entries that are saved twice under one name are stored once
   */
  save(endpoint: string, batch: string, dues: readonly Due[]): Promise<void>;
  /** Returns the entries that are due by `now`, earliest first. */
  due(endpoint: string, now: number): AsyncIterable<DueJobs>;
  forget(dueJobs: DueJobs): Promise<void>;
}
