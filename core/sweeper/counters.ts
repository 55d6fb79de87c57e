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
 *  1. Count the jobs, which reads all of them. Jobs that wait in an older generation count as purged.
 *  2. Store a difference that is found for the first time, because it can be caused by the delay of the stream.
 *     Correct the counters if the same difference is found after `RECONCILE_AGAIN`.
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

  const { generation } = endpoint;
  let present: Counters = zeroCounters;
  for await (const job of ports.jobs.list(id)) present = plus(present, countersOf(job));
  const kept = (counts: Counts) => keptIn(countable(counts), generation);
  const missing = minus(kept(countsIn(present, generation)), kept(endpoint.counts));

  const suspected = endpoint.reconciliation?.missing;
  if (suspected && isEqual(suspected, missing)) {
    return (await ports.ledger.correct(endpoint, missing, now)) ? missing : undefined;
  }
  await ports.endpoints.saveReconciliation(endpoint, {
    auditedAt: now,
    ...(!isEqual(missing, zeroCounters) && { missing }),
  });
  return undefined;
}

const isDue = ({ reconciliation }: Endpoint, now: number) =>
  reconciliation === undefined ||
  now - reconciliation.auditedAt >= (reconciliation.missing === undefined ? RECONCILE : RECONCILE_AGAIN);
