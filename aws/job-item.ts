import { type Job, jobSchema } from '../core/jobs/job.ts';
import { endpointOf } from '../core/jobs/partition.ts';

/** @throws if the item is no job */
export function jobFrom(item: Record<string, unknown>): Job {
  const { partition, ...fields } = item;
  return jobSchema.parse({ ...fields, endpoint: endpointOf(String(partition)) });
}
