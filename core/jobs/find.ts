import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { isEndpointId } from '../endpoints/endpoint-id.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { JobNotFound } from '../requests/errors.ts';
import { assertKept, finalize } from './ending.ts';
import { JOB_ID } from './id.ts';
import type { Job, JobKey } from './job.ts';
import type { Jobs } from './store.ts';

export type FindPorts = { readonly clock: Clock; readonly endpoints: Endpoints; readonly jobs: Jobs };

export interface Found {
  /** The job with its current status, even if the sweeper is late. */
  readonly job: Job;
  /** The endpoint's generation while the job waits; after that, the job's own generation. */
  readonly generation: number;
  /** The endpoint, which is read only for a waiting job. */
  readonly endpoint?: Endpoint | undefined;
}

/** Returns whether a purge can cancel the job. The endpoint of any other job does not have to be read. */
const isPurgeable = (job: Job) => job.status === 'IN_QUEUE';

/** Returns whether the ids have the form of issued ids. Other jobs are not looked up. */
export const isIssued = ({ endpoint, id }: JobKey): boolean => JOB_ID.test(id) && isEndpointId(endpoint);

/**
 * Looks up a job for a client. An overdue or purged job is ended first.
 * @throws EndpointNotFound, JobNotFound, or JobExpired if its result is no longer retained
 */
export async function find(ports: FindPorts, key: JobKey): Promise<Found> {
  return foundFrom(ports, key, isIssued(key) ? await ports.jobs.read(key) : undefined);
}

/**
 * Does the same as `find`, with a job that was just read.
 * @throws as `find`
 */
export async function foundFrom(ports: FindPorts, key: JobKey, stored: Job | undefined): Promise<Found> {
  const endpoint = stored && !isPurgeable(stored) ? undefined : await deployed(ports, key.endpoint);
  const job = stored && (await finalize(ports, stored, endpoint));
  if (!job) throw new JobNotFound(key.endpoint, key.id);
  assertKept(job, ports.clock.now());
  return { job, generation: endpoint?.generation ?? job.generation, endpoint };
}
