import type { Endpoint } from '../endpoints/endpoint.ts';
import { hintAt, queueOf } from '../jobs/hint.ts';
import type { Job } from '../jobs/job.ts';
import { HINT_LOST, HINTS_PER_SWEEP } from '../limits.ts';
import { isAlive, type Lease } from '../workers/lease.ts';
import type { World } from '../world.ts';

/**
 * Hints workers again at jobs that wait although a worker has nothing to do: their hints are lost, because whoever accepted
 * them died before it sent one, or the queue gave them up. Otherwise such a job would wait for its whole ttl, and keep a
 * worker that waits for it.
 *
 * Input: endpoint. Output: how many hints were sent. As long as nobody idles while jobs wait, no job is read.
 */
export async function sweepHints(
  world: Pick<World, 'clock' | 'hints' | 'jobs' | 'workers'>,
  endpoint: Endpoint,
): Promise<number> {
  const now = world.clock.now();
  const idles = (lease: Lease) =>
    isAlive(lease, now) && lease.idleSince !== undefined && now - lease.idleSince >= HINT_LOST;
  if (endpoint.counts.inQueue <= 0 || !(await world.workers.list(endpoint.id)).some(idles)) return 0;

  const waitsForLong = (job: Job) =>
    job.status === 'IN_QUEUE' &&
    job.generation >= endpoint.generation &&
    now < job.queueDeadline &&
    now - (job.queueDeadline - job.queueTtl) >= HINT_LOST;
  let sent = 0;
  for await (const job of world.jobs.list(endpoint.id)) {
    if (!waitsForLong(job)) continue;
    await world.hints.send(queueOf(endpoint, job), hintAt(job));
    sent += 1;
    if (sent === HINTS_PER_SWEEP) break;
  }
  return sent;
}
