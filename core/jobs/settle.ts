import type { Endpoint } from '../endpoints/endpoint.ts';
import { REPORT_GRACE } from '../limits.ts';
import type { World } from '../world.ts';
import type { Job } from './job.ts';

/**
 * Stores what a job has become by the clock, which every reader is told already (`observe.ts`).
 * @returns whether the stored job has changed
 */
export async function settle(
  { clock, jobs }: Pick<World, 'clock' | 'jobs'>,
  job: Job,
  { generation, purgedAt }: Pick<Endpoint, 'generation' | 'purgedAt'>,
): Promise<boolean> {
  const now = clock.now();
  switch (job.status) {
    case 'IN_QUEUE': {
      if (job.generation < generation)
        return (await jobs.move('purge', job, { $generation: generation, $purgedAt: purgedAt })).moved;
      return job.queueDeadline <= now && (await jobs.move('expire', job, { $now: now })).moved;
    }
    case 'IN_PROGRESS': {
      const overdueSince = now - REPORT_GRACE;
      return job.executionDeadline < overdueSince && (await jobs.move('timeout', job, { $now: overdueSince })).moved;
    }
    default:
      return false;
  }
}
