import { type Counter, type Counters, keptIn, minus, oneIn, plus, zeroCounters } from '../endpoints/counts.ts';
import { isPurged } from '../jobs/delivery-key.ts';
import type { Job, JobChange, JobStatus } from '../jobs/job.ts';

const countedAs: Readonly<Record<JobStatus, Counter | undefined>> = {
  IN_QUEUE: 'inQueue',
  IN_PROGRESS: 'inProgress',
  COMPLETED: 'completed',
  FAILED: 'failed',
  TIMED_OUT: 'failed',
  CANCELLED: undefined,
};

/** Returns the counters of one job. */
export function countersOf(job: Job): Counters {
  const counter = countedAs[job.status];
  const counts = {
    ...zeroCounters,
    ...(counter && { [counter]: 1 }),
    // Each retry began with a failure, which stays counted.
    failed: (counter === 'failed' ? 1 : 0) + job.retries,
    lowInQueue: job.status === 'IN_QUEUE' && job.lowPriority ? 1 : 0,
    retried: job.rescues + job.retries,
  };
  const kept = keptIn(counts, job.generation);
  return isPurged(job) ? plus(kept, oneIn('purged', job.generation)) : kept;
}

/** Returns whether DynamoDB's time-to-live removed a finished job. The counters still include such a job. */
const isExpired = ({ before, after }: JobChange) =>
  after === undefined && before !== undefined && 'finishedAt' in before;

export function deltaOf(change: JobChange): Counters {
  if (change.marker) return oneIn('marked', change.marker.generation);
  if (isExpired(change)) return zeroCounters;
  const [before, after] = [change.before, change.after].map((job) => (job ? countersOf(job) : zeroCounters));
  return minus(after ?? zeroCounters, before ?? zeroCounters);
}
