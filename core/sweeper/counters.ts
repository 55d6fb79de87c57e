import type { Clock } from '../clock.ts';
import { type Counters, type Counts, countsIn, isEqual, keptIn, minus, plus, zeroCounters } from '../endpoints/counts.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../endpoints/store.ts';
import type { Jobs } from '../jobs/store.ts';
import { countersOf } from '../ledger/delta.ts';
import type { Ledger } from '../ledger/store.ts';
import { RECONCILE, RECONCILE_AGAIN } from '../limits.ts';

/** Jobs that wait or run can be counted; of finished ones the oldest are gone, and a count of the rest says nothing. */
const countable = ({ inQueue, lowInQueue, inProgress }: Counts): Counts => ({
  ...zeroCounters,
  inQueue,
  lowInQueue,
  inProgress,
});

/**
 * Compares the endpoint's counters with its jobs, once a day, and mends them.
 *
 * Input: endpoint. Output: what the counters lacked, if they were mended.
 *  1. Count the jobs. This reads all of them, so it is done rarely. What waits in an older generation is purged.
 *  2. The stream is always a little behind, so a difference alone says nothing; the same one `RECONCILE_AGAIN` later does. The
 *     first time it is noted.
 */
export async function sweepCounters(
  ports: { readonly clock: Clock; readonly endpoints: Endpoints; readonly jobs: Jobs; readonly ledger: Ledger },
  id: string,
): Promise<Counters | undefined> {
  const endpoint = await ports.endpoints.readNow(id);
  const now = ports.clock.now();
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
