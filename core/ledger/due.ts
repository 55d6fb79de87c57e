/** When a job must be looked at, whatever else happens to it: at the end of its wait, or of its run. */
import type { Job } from '../jobs/job.ts';
import { MINUTE, REPORT_GRACE } from '../limits.ts';
import type { JobChange } from './tally.ts';

export interface Due {
  readonly job: string;
  /** The minute of the epoch in which it is due, rounded up: nobody is looked at too early. */
  readonly minute: number;
}

/** Jobs that are due in the same minute. */
export interface DueJobs {
  readonly endpoint: string;
  /** Names the entry. */
  readonly due: string;
  readonly jobs: readonly string[];
}

function deadlineOf(job: Job | undefined): number | undefined {
  if (job?.status === 'IN_QUEUE') return job.queueDeadline;
  if (job?.status === 'IN_PROGRESS') return job.executionDeadline + REPORT_GRACE + 1;
  return undefined;
}

/** The deadlines that a batch of changes leaves behind. What has come and gone within it needs none. */
export function duesOf(changes: readonly JobChange[]): Due[] {
  const last = new Map(changes.map((change) => [(change.after ?? change.before)?.id ?? '', change]));
  return [...last].flatMap(([job, { after }]) => {
    const first = changes.find(({ before, after: then }) => (then ?? before)?.id === job);
    const deadline = deadlineOf(after);
    if (deadline === undefined || deadline === deadlineOf(first?.before)) return [];
    return [{ job, minute: Math.ceil(deadline / MINUTE) }];
  });
}
