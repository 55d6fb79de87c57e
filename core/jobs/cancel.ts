import { REPORT_GRACE } from '../limits.ts';
import { CONFLICT, conflictTries, retryOnConflict } from '../stored-items/conflicts.ts';
import { removeAfterEnd } from './ending.ts';
import { type FindPorts, find } from './find.ts';
import type { Job, JobKey } from './job.ts';
import type { Moved } from './store.ts';

/**
 * Cancels a job.
 *
 * Input: endpoint and job id. Output: the id and the final status.
 *  1. Refuse an unknown endpoint, an unknown job, and a job whose result has expired.
 *  2. Return a job that has ended unchanged: cancelling it again or too late is not an error.
 *  3. Cancel it, and read it again if it has changed in the meantime. Its worker notices within a second and stops
 *     it.
 */
export async function cancel(ports: FindPorts, key: JobKey): Promise<{ id: string; status: string }> {
  return retryOnConflict(`job ${key.id}`, conflictTries.job, async () => {
    const { job, generation } = await find(ports, key);
    const { moved, job: after } = await end(ports, job, generation);
    return moved ? { id: after.id, status: after.status } : CONFLICT;
  });
}

async function end(ports: FindPorts, job: Job, generation: number): Promise<Moved> {
  const now = ports.clock.now();
  const facts = { $now: now, $removeAfter: removeAfterEnd(now + job.retention) };
  switch (job.status) {
    case 'IN_QUEUE':
      return ports.jobs.move('cancelQueued', job, { ...facts, $generation: generation });
    case 'IN_PROGRESS':
      return ports.jobs.move('cancelRunning', job, { ...facts, $graceStart: now - REPORT_GRACE });
    default:
      return { moved: true, job };
  }
}
