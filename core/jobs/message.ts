/** Messages: which queue a job's goes to, and what it says. */
import type { EndpointConfig } from '../endpoints/endpoint.ts';
import type { JobMessage, Ports } from '../ports.ts';
import type { Job } from './job.ts';

/**
 * A purge leaves its dead messages in one queue, and messages of jobs that come after it go to the other
 * (docs/adr/0006).
 * @param generation that the message names
 */
export function queueOf(
  { lowQueueUrls, normalQueueUrls }: Pick<EndpointConfig, 'lowQueueUrls' | 'normalQueueUrls'>,
  { generation: present, lowPriority }: Pick<Job, 'generation' | 'lowPriority'>,
  generation = present,
): string {
  const [even, odd] = lowPriority ? lowQueueUrls : normalQueueUrls;
  return generation % 2 === 0 ? even : odd;
}

/** @param generation that the job will have when the message is followed */
export const messageOf = ({ endpoint, id, attempt, generation: present }: Job, generation = present): JobMessage => ({
  endpoint,
  job: id,
  attempt,
  generation,
});

/**
 * Whether a message is of no more use because its queue was purged. A read tells: a refused take would cost a write,
 * and a purge can leave a great many of them.
 *
 * The generation of the message alone does not tell. A job that ran when its queue was purged goes on; until a lease
 * names it, and after it was put back by whoever followed the message, the old message may be all that points to it.
 */
export async function isDead(
  { endpoints, jobs }: Pick<Ports, 'endpoints' | 'jobs'>,
  { endpoint: id, job: name, generation }: JobMessage,
): Promise<boolean> {
  const endpoint = await endpoints.read(id);
  if (!endpoint || generation >= endpoint.generation) return false;
  const job = await jobs.read({ endpoint: id, id: name });
  if (job?.status === 'IN_QUEUE') return job.generation < endpoint.generation;
  return job?.status !== 'IN_PROGRESS';
}
