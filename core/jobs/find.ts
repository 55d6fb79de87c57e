import { deployed } from '../endpoints/deployed.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { JobNotFound } from '../errors.ts';
import type { World } from '../world.ts';
import { JOB_ID } from './id.ts';
import type { Job, JobKey } from './job.ts';
import { assertKept, observe } from './observe.ts';

export type FindWorld = Pick<World, 'clock' | 'endpoints' | 'jobs'>;

export interface Found {
  /** What the job is by now, whatever the sweeper has got to. */
  readonly job: Job;
  /** The endpoint's generation while the job waits; its own from then on. */
  readonly generation: number;
}

type Purges = Pick<Endpoint, 'generation' | 'purgedAt'>;

/** Of a job that no worker has taken yet: later no purge concerns it, so its endpoint need not be read. */
const isPurgeable = (job: Job) => job.status === 'IN_QUEUE';
const noPurge = ({ generation }: Job): Purges => ({ generation, purgedAt: 0 });

/**
 * Looks a job up for a client.
 * @throws EndpointNotFound, JobNotFound, or JobExpired if its result is no longer kept
 */
export async function find(world: FindWorld, key: JobKey): Promise<Found> {
  const stored = JOB_ID.test(key.id) ? await world.jobs.read(key) : undefined;
  const purges = stored && !isPurgeable(stored) ? noPurge(stored) : await deployed(world, key.endpoint);
  if (!stored) throw new JobNotFound(key.endpoint, key.id);
  const now = world.clock.now();
  const job = observe(stored, purges, now);
  assertKept(job, now);
  return { job, generation: purges.generation };
}
