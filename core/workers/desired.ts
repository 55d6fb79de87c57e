/** How many workers an endpoint needs. */
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Counts } from '../ledger/tally.ts';

/**
 * Room for each job that waits or runs, within the endpoint's bounds. Jobs of low priority wait for workers that
 * are there anyway; once they run, they hold theirs.
 */
export function desiredWorkers(
  { minWorkers, maxWorkers, concurrency = 1 }: Pick<Endpoint, 'minWorkers' | 'maxWorkers' | 'concurrency'>,
  { inQueue, lowInQueue, inProgress }: Pick<Counts, 'inQueue' | 'lowInQueue' | 'inProgress'>,
): number {
  const load = Math.max(0, inQueue - lowInQueue) + Math.max(0, inProgress);
  return Math.min(maxWorkers, Math.max(minWorkers, Math.ceil(load / concurrency)));
}
