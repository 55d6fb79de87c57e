import type { Clock } from '../clock.ts';
import { ENDPOINT_ID } from '../endpoints/endpoint.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { JobNotFound } from '../errors.ts';
import { assertKept, ending, type LastPurge, noPurge } from './ending.ts';
import { JOB_ID } from './id.ts';
import type { Job, JobKey } from './job.ts';
import type { Jobs, Moved } from './store.ts';

export type FindPorts = { readonly clock: Clock; readonly endpoints: Endpoints; readonly jobs: Jobs };

export interface Found {
  /** What the job is by now, whatever the sweeper has got to. */
  readonly job: Job;
  /** The endpoint's generation while the job waits; its own from then on. */
  readonly generation: number;
}

/** A job that no worker has taken yet: later no purge concerns it, so its endpoint need not be read. */
const isPurgeable = (job: Job) => job.status === 'IN_QUEUE';

/**
 * Looks a job up for a client. What has ended by the clock is stored so first.
 * @throws EndpointNotFound, JobNotFound, or JobExpired if its result is no longer kept
 */
export async function find(ports: FindPorts, key: JobKey): Promise<Found> {
  const stored = JOB_ID.test(key.id) && ENDPOINT_ID.test(key.endpoint) ? await ports.jobs.read(key) : undefined;
  return foundFrom(ports, key, stored);
}

/**
 * Does what `find` does, with the job as it was just read.
 * @throws as `find`
 */
export async function foundFrom(ports: FindPorts, key: JobKey, stored: Job | undefined): Promise<Found> {
  const purge = stored && !isPurgeable(stored) ? noPurge(stored) : await deployed(ports, key.endpoint);
  const job = stored && (await settle(ports, stored, purge));
  if (!job) throw new JobNotFound(key.endpoint, key.id);
  assertKept(job, ports.clock.now());
  return { job, generation: purge.generation };
}

/** After a refused write the job is another one, and may be over again; it cannot change for ever. */
const TRIES = 5;

/**
 * Stores what a job has become by the clock. Nobody is told so before it is stored: a write that was on its way, by a
 * clock that was read a little earlier, could still undo it.
 * @returns the job as it is stored then; nothing if it has been removed
 */
export async function settle(
  { clock, jobs }: { readonly clock: Clock; readonly jobs: Jobs },
  job: Job,
  purge: LastPurge,
): Promise<Job | undefined> {
  let present: Job | undefined = job;
  for (let tries = 0; tries < TRIES && present; tries += 1) {
    const moved: Promise<Moved> | undefined = ending(present, purge, clock.now(), {
      purge: (facts) => jobs.move('purge', job, facts),
      expire: (facts) => jobs.move('expire', job, facts),
      timeout: (facts) => jobs.move('timeout', job, facts),
    });
    if (!moved) return present;
    present = (await moved).job;
  }
  return present;
}
