/** How many workers an endpoint needs. */
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Counts } from '../ledger/counters.ts';
import { jobsPerWorker } from './concurrency.ts';
import type { Lease } from './lease.ts';

/**
 * Room for each job that waits or runs, within the endpoint's bounds. Jobs of low priority wait for workers that
 * are there anyway; once they run, they hold theirs.
 * @param retiring leases of workers that take no more jobs: they come on top, and their jobs need no other worker
 */
export function desiredWorkers(
  endpoint: Pick<Endpoint, 'asked' | 'concurrency' | 'maxWorkers' | 'minWorkers' | 'release'>,
  { inQueue, lowInQueue, inProgress }: Pick<Counts, 'inQueue' | 'lowInQueue' | 'inProgress'>,
  retiring: readonly Pick<Lease, 'jobs'>[] = [],
): number {
  const { minWorkers, maxWorkers } = endpoint;
  const theirs = retiring.reduce((total, { jobs }) => total + jobs.length, 0);
  const load = Math.max(0, inQueue - lowInQueue) + Math.max(0, inProgress - theirs);
  const others = Math.max(minWorkers, Math.ceil(load / jobsPerWorker(endpoint)));
  return Math.min(maxWorkers, others + retiring.length);
}
