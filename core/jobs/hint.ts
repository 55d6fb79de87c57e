/** Hints: which queue a job's goes to, and what it says. */
import type { EndpointConfig } from '../endpoints/endpoint.ts';
import type { Hint } from '../world.ts';
import type { Job } from './job.ts';

export const queueOf = (
  { lowQueueUrl, normalQueueUrl }: Pick<EndpointConfig, 'lowQueueUrl' | 'normalQueueUrl'>,
  { lowPriority }: Pick<Job, 'lowPriority'>,
): string => (lowPriority ? lowQueueUrl : normalQueueUrl);

/** @param generation that the job will have when the hint is followed */
export const hintAt = ({ endpoint, id, attempt, generation: present }: Job, generation = present): Hint => ({
  endpoint,
  job: id,
  attempt,
  generation,
});
