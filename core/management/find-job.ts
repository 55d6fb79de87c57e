import { type FindPorts, foundFrom } from '../jobs/find.ts';
import { JOB_ID } from '../jobs/id.ts';
import type { Job, JobKey, JobStatus } from '../jobs/job.ts';
import { pollLimits, SECOND } from '../limits.ts';
import { JobNotFound } from '../requests/errors.ts';

export interface FindJobRequest {
  /** Id of the job. */
  readonly job: string;
  /** Ids of the endpoints that the caller may call; `*` means all. */
  readonly permitted: readonly string[];
}

export interface JobPlace {
  readonly endpoint: string;
  readonly id: string;
  readonly status: JobStatus;
}

/**
 * Maximum number of reads of a job whose partition is throttled, and the pause before the second read in
 * milliseconds. Each further pause is longer by this time.
 */
const RETRIES = { times: 5, after: SECOND / 5 } as const;

/**
 * Finds a job by its id, which does not contain its endpoint.
 *
 * Input: job id, endpoint ids of the caller. Output: the endpoint of the job, its id and its status.
 *  1. Refuse a malformed id without a read.
 *  2. Search all deployed endpoints that the caller may call, in batches.
 * @throws JobNotFound if no endpoint has the job, or JobExpired if its result is no longer retained
 */
export async function findJob(ports: FindPorts, { job: id, permitted }: FindJobRequest): Promise<JobPlace> {
  if (!JOB_ID.test(id)) throw new JobNotFound(undefined, id);
  const endpoints = await ports.endpoints.list();
  const keys = endpoints
    .filter(({ id: endpoint }) => permitted.includes('*') || permitted.includes(endpoint))
    .map(({ id: endpoint }): JobKey => ({ endpoint, id }));
  const stored = await firstOf(ports, keys);
  if (!stored) throw new JobNotFound(undefined, id);
  const { endpoint, status } = (await foundFrom(ports, stored, stored)).job;
  return { endpoint, id, status };
}

/** Returns the first job that exists. */
async function firstOf(ports: FindPorts, keys: readonly JobKey[]): Promise<Job | undefined> {
  for (let n = 0; n < keys.length; n += pollLimits.batch) {
    const found = await firstOfBatch(ports, keys.slice(n, n + pollLimits.batch));
    if (found) return found;
  }
  return undefined;
}

async function firstOfBatch({ clock, jobs }: FindPorts, batch: readonly JobKey[]): Promise<Job | undefined> {
  let left = batch;
  for (let times = 0; times < RETRIES.times; times += 1) {
    if (times > 0) await clock.pause(RETRIES.after * times);
    const read = await jobs.readMany(left);
    const found = read.find((job) => job !== undefined && job !== 'not read');
    if (found) return found;
    left = left.filter((_, n) => read[n] === 'not read');
    if (left.length === 0) return undefined;
  }
  throw new Error(`DynamoDB did not process the reads of ${left.length} jobs in ${RETRIES.times} attempts.`);
}
