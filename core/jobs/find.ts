import { deployed } from '../endpoints/deployed.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { JobNotFound } from '../errors.ts';
import type { World } from '../world.ts';
import { JOB_ID } from './id.ts';
import type { Job, JobKey } from './job.ts';
import { assertKept, observe } from './observe.ts';

export type FindWorld = Pick<World, 'clock' | 'endpoints' | 'jobs'>;

export interface Found {
  readonly endpoint: Endpoint;
  /** What the job is by now, whatever the sweeper has got to. */
  readonly job: Job;
}

/**
 * Looks a job up for a client.
 * @throws EndpointNotFound, JobNotFound, or JobExpired if its result is no longer kept
 */
export async function find(world: FindWorld, key: JobKey): Promise<Found> {
  const endpoint = await deployed(world, key.endpoint);
  const stored = JOB_ID.test(key.id) ? await world.jobs.read(key) : undefined;
  if (!stored) throw new JobNotFound(key.endpoint, key.id);
  const now = world.clock.now();
  const job = observe(stored, endpoint, now);
  assertKept(job, now);
  return { endpoint, job };
}
