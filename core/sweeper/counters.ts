import type { Clock } from '../clock.ts';
import {
  type Counters,
  type Counts,
  countsIn,
  isEqual,
  keptIn,
  minus,
  plus,
  zeroCounters,
} from '../endpoints/counts.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../endpoints/store.ts';
import type { Jobs } from '../jobs/store.ts';
import { countersOf } from '../ledger/delta.ts';
import type { Ledger } from '../ledger/store.ts';
import { RECONCILE, RECONCILE_AGAIN } from '../limits.ts';

/**
 * Selects the counters of waiting and running jobs. Finished jobs cannot be counted, because the oldest ones have
 * been removed.
 */
const countable = ({ inQueue, lowInQueue, inProgress }: Counts): Counts => ({
  ...zeroCounters,
  inQueue,
  lowInQueue,
  inProgress,
});

/**
 * Reconciles the endpoint's counters with its jobs, once a day.
 *
 * Input: endpoint. Output: the difference, if the counters were corrected.
 *  1. Store the counts. Continue when they have not changed for `RECONCILE_AGAIN`: while jobs are submitted, start and
 *     end, the counters lack the changes that the ledger has not counted yet.
 *  2. Count the jobs, which reads all of them. Waiting jobs of older generations are not counted, because a purge has
 *     cancelled them.
 *  3. Store a difference. Correct the counters if counts and difference are the same after `RECONCILE_AGAIN`.
 */
export async function sweepCounters(
  ports: { readonly clock: Clock; readonly endpoints: Endpoints; readonly jobs: Jobs; readonly ledger: Ledger },
  listed: Endpoint,
): Promise<Counters | undefined> {
  const { id } = listed;
  const now = ports.clock.now();
  if (!isDue(listed, now)) return undefined;
  // The list can be slightly old, and another sweep can have reconciled the endpoint.
  const endpoint = await ports.endpoints.readNow(id);
  if (!endpoint || !isDue(endpoint, now)) return undefined;

  const { counts, reconciliation } = endpoint;
  if (!reconciliation?.counts || !isEqual(reconciliation.counts, counts)) {
    await ports.endpoints.saveReconciliation(endpoint, { auditedAt: now, counts });
    return undefined;
  }
  const missing = await missingFrom(ports, endpoint);
  if (reconciliation.missing && isEqual(reconciliation.missing, missing)) {
    return (await ports.ledger.correct(endpoint, missing, now)) ? missing : undefined;
  }
  const isRight = isEqual(missing, zeroCounters);
  await ports.endpoints.saveReconciliation(endpoint, { auditedAt: now, ...(!isRight && { counts, missing }) });
  return undefined;
}

/** Returns the difference between the endpoint's jobs and its counters. */
async function missingFrom(
  { jobs }: { readonly jobs: Jobs },
  { id, generation, counts }: Pick<Endpoint, 'id' | 'generation' | 'counts'>,
): Promise<Counters> {
  let present: Counters = zeroCounters;
  for await (const job of jobs.list(id)) present = plus(present, countersOf(job));
  const kept = (all: Counts) => keptIn(countable(all), generation);
  return minus(kept(countsIn(present, generation)), kept(counts));
}

const isDue = ({ reconciliation }: Endpoint, now: number) =>
  reconciliation === undefined ||
  now - reconciliation.auditedAt >= (reconciliation.counts === undefined ? RECONCILE : RECONCILE_AGAIN);
