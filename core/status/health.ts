import type { Clock } from '../clock.ts';
import type { Counter } from '../endpoints/counts.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { askedBy, type Concurrency, concurrencyOf } from '../workers/concurrency.ts';
import { countWorkers, presenceOf, type WorkerCounts } from '../workers/count.ts';
import type { Lease, Workers } from '../workers/lease.ts';
import { type Wait, waitOf } from './waiting.ts';

/** The health, with the reason as in the record of a waiting job if jobs wait, or if a new job would be blocked. */
export interface Health extends Partial<Wait> {
  readonly jobs: Readonly<Record<Exclude<Counter, 'lowInQueue'>, number>>;
  readonly workers: WorkerCounts;
  /** Present if the endpoint file has no `concurrency`, and a worker has asked for jobs. */
  readonly concurrency?: Concurrency;
}

/** Returns the count, or 0 if it is negative, which can occur for an instant between two batches of the stream. */
const atLeastZero = (count: number) => Math.max(0, count);

/**
 * Counts the endpoint's jobs and workers, in constant time.
 *
 * Input: endpoint id. Output: the health record. The ledger counts the jobs, about one second behind.
 *  1. Refuse an unknown endpoint.
 *  2. Count the workers by their leases, and the missing workers by their blocker.
 */
export async function health(
  ports: { readonly clock: Clock; readonly endpoints: Endpoints; readonly workers: Workers },
  id: string,
): Promise<Health> {
  const endpoint = await deployed(ports, id);
  return healthOf(endpoint, await ports.workers.list(id), ports.clock.now());
}

/** Returns why jobs wait, or why a new normal job would be blocked. Jobs of low priority count if no others wait. */
function waitIn(endpoint: Endpoint, leases: readonly Lease[], now: number): Wait | undefined {
  const { inQueue, lowInQueue } = endpoint.counts;
  const { blocker } = presenceOf(endpoint, leases, now);
  const wait = waitOf(endpoint, leases, { lowPriority: false }, now);
  if (wait.waitReason === blocker || wait.waitReason === 'BUDGET_SPENT') return wait;
  if (inQueue <= 0) return undefined;
  return lowInQueue < inQueue ? wait : waitOf(endpoint, leases, { lowPriority: true }, now);
}

export function healthOf(stored: Endpoint, leases: readonly Lease[], now: number): Health {
  const endpoint = { ...stored, asked: askedBy(stored, leases, now) };
  const concurrency = concurrencyOf(endpoint);
  const { inQueue, inProgress, completed, failed, retried } = endpoint.counts;
  return {
    jobs: {
      inQueue: atLeastZero(inQueue),
      inProgress: atLeastZero(inProgress),
      completed: atLeastZero(completed),
      failed: atLeastZero(failed),
      retried: atLeastZero(retried),
    },
    workers: countWorkers(endpoint, leases, now),
    ...(concurrency && { concurrency }),
    ...waitIn(endpoint, leases, now),
  };
}
