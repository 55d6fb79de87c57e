/** Chooses the tab that a job opens on. */
import { hasEnded, type Job } from './job.ts';

export const tabs = ['output', 'input', 'stream', 'logs', 'webhook', 'raw'] as const;
export type TabName = (typeof tabs)[number];

interface Seen {
  readonly hasStreamed: boolean;
  /** Whether the page saw the job end. */
  readonly sawEnd: boolean;
}

/** Returns the tab that shows most about the job in its state. A reader of a stream stays there when the job ends. */
export function opensOn(job: Pick<Job, 'status' | 'attempts'>, { hasStreamed, sawEnd }: Seen): TabName {
  if (job.status === 'COMPLETED') return hasStreamed && sawEnd ? 'stream' : 'output';
  if (!hasEnded(job) && hasStreamed) return 'stream';
  return job.status === 'IN_QUEUE' || job.attempts === 0 ? 'input' : 'logs';
}
