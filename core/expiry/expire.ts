import { someAtOnce } from '../at-once.ts';
import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../endpoints/store.ts';
import type { Job, JobKey } from '../jobs/job.ts';
import { settle } from '../jobs/settle.ts';
import type { Jobs } from '../jobs/store.ts';
import { SWEEP_AT_ONCE } from '../limits.ts';
import type { ExpiryTimer } from './timers.ts';

/** What has become of jobs whose time may be over. */
export interface Checked {
  /** How many have ended by the check. */
  readonly ended: number;
  /** Those that still wait or run. */
  readonly alive: readonly Job[];
}

/** Stores the end of those of the jobs whose time is over. */
export async function endOverdue(
  ports: { readonly clock: Clock; readonly jobs: Jobs },
  endpoint: Endpoint,
  ids: readonly string[],
): Promise<Checked> {
  // Most have ended long ago: to read them costs less than a write whose condition fails.
  const check = async (key: JobKey) => {
    const job = await ports.jobs.read(key);
    const present = job && (await settle(ports, job, endpoint));
    return { present, hasEnded: present !== job };
  };
  const checked = await someAtOnce(ids, SWEEP_AT_ONCE, (id) => check({ endpoint: endpoint.id, id }));
  return {
    ended: checked.filter(({ hasEnded }) => hasEnded).length,
    alive: checked.flatMap(({ present }) => (present && !('finishedAt' in present) ? [present] : [])),
  };
}

/**
 * Ends the jobs of a timer whose `ttl` has run out.
 *
 * Input: the timer. Output: how many jobs have ended by this call. A job that was taken, retried or has ended since the
 * timer was started stays as it is. A second call with the same timer changes nothing.
 * @throws what a read or a write throws; a repeated call does what is left
 */
export async function expire(
  ports: { readonly clock: Clock; readonly endpoints: Endpoints; readonly jobs: Jobs },
  { endpoint: id, jobs }: Pick<ExpiryTimer, 'endpoint' | 'jobs'>,
): Promise<number> {
  const endpoint = await ports.endpoints.readNow(id);
  return endpoint ? (await endOverdue(ports, endpoint, jobs)).ended : 0;
}
