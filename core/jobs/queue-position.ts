import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Arrivals } from '../ledger/store.ts';
import type { QueuedJob } from './job.ts';

/**
 * About how many jobs wait ahead of one, and one more for itself: 1 is next. Those that came in the same 10 s do not count,
 * and what has changed in the last second or two may be missing. It is never more than the endpoint's jobs that wait.
 *
 * A job of low priority waits for all normal ones, and for those of its own that came before.
 */
export async function queuePosition(
  { arrivals }: { readonly arrivals: Arrivals },
  { counts }: Pick<Endpoint, 'counts'>,
  job: QueuedJob,
): Promise<number> {
  const low = Math.max(0, counts.lowInQueue);
  const normal = Math.max(0, counts.inQueue - low);
  const ofItsOwn = job.lowPriority ? low : normal;
  // Where it is alone nothing need be read.
  const ahead = ofItsOwn > 1 ? await arrivals.countBefore(job, job.queuedAt) : 0;
  return (job.lowPriority ? normal : 0) + Math.min(ahead, Math.max(0, ofItsOwn - 1)) + 1;
}
