/** Hints: which queue a job's goes to, and what it says. */
import type { EndpointConfig } from '../endpoints/endpoint.ts';
import type { Hint } from '../world.ts';
import type { Job } from './job.ts';

export const queueOf = (
  { lowQueueUrl, normalQueueUrl }: Pick<EndpointConfig, 'lowQueueUrl' | 'normalQueueUrl'>,
  { lowPriority }: Pick<Job, 'lowPriority'>,
): string => (lowPriority ? lowQueueUrl : normalQueueUrl);

export const hintAt = ({ endpoint, id, attempt, generation }: Job): Hint => ({
  endpoint,
  job: id,
  attempt,
  generation,
});
