import pLimit from 'p-limit';
import type { Clock } from '../clock.ts';
import { hasComeToWait, sumOf } from '../endpoints/counts.ts';
import type { Endpoints, Services } from '../endpoints/store.ts';
import { type Deadlines, duesOf, withNewDeadline } from '../expiry/due.ts';
import { type ExpiryTimers, startTimers } from '../expiry/expire.ts';
import { scale } from '../fleet/scale.ts';
import { type RecordHistoryPorts, recordHistory } from '../history/record.ts';
import type { EventPorts } from '../history/record-event.ts';
import { endpointOf, partitionOf } from '../jobs/id.ts';
import type { JobChange } from '../jobs/job.ts';
import { RECORDED_AT_ONCE } from '../limits.ts';
import { correctSums } from '../usage/correct.ts';
import type { UsageSums } from '../usage/store.ts';
import type { Workers } from '../workers/lease.ts';
import { type ArrivalChange, arrivalsOf } from './arrivals.ts';
import { deltaOf } from './delta.ts';
import type { Arrivals, Ledger, SequencedChange } from './store.ts';

export type RecordPorts = {
  readonly arrivals: Arrivals;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly endpoints: Endpoints;
  readonly ledger: Ledger;
  readonly workers: Workers;
  readonly services: Services;
  readonly expiryTimers: ExpiryTimers;
  readonly usageSums: Pick<UsageSums, 'isKept' | 'repeatFrom'>;
} & EventPorts &
  RecordHistoryPorts;

const endpointOfChange = ({ before, after, marker }: JobChange) => (after ?? before ?? marker)?.endpoint ?? '';

/** Returns the partition of the jobs table whose item has changed. */
export function partitionOfChange({ before, after, marker }: JobChange): string {
  const job = after ?? before;
  return marker?.partition ?? (job ? partitionOf(job) : '');
}

/** Changes of one endpoint that could not all be recorded; some of them might have been. */
export interface Unrecorded {
  readonly endpoint: string;
  /** Changes in the order of the stream. */
  readonly changes: readonly JobChange[];
  readonly error: unknown;
}

/**
 * Processes changes of jobs.
 *
 * Input: a batch of changes in the order of the stream. A batch can arrive twice, with different boundaries.
 * Output: the changes that could not be recorded, by endpoint, earliest first. An endpoint that fails does not
 * stop the other endpoints.
 *  1. Store when jobs and deliveries of webhooks become due, so that the sweeper finds them.
 *  2. Add the changes to the counts of each partition, and to the counts of waiting jobs by arrival. The marker of a
 *     purge is counted like a job, so a purge knows that all earlier changes of the partition are counted.
 *  3. If more jobs wait than before, start the workers that they need.
 *  4. Start timers for jobs whose `ttl` might run out before the next sweep.
 *  5. Add the jobs that have ended to the history. If their minutes have been summed, let them be summed once more.
 */
export async function record(ports: RecordPorts, changes: readonly JobChange[]): Promise<Unrecorded[]> {
  const byEndpoint = [...Map.groupBy(changes, endpointOfChange)];
  const failed = await pLimit(RECORDED_AT_ONCE).map(byEndpoint, async ([endpoint, ofEndpoint]) => {
    try {
      await recordOne(ports, endpoint, ofEndpoint);
      return [];
    } catch (error) {
      return [{ endpoint, changes: ofEndpoint, error }];
    }
  });
  return failed.flat();
}

async function recordOne(ports: RecordPorts, endpoint: string, changes: readonly JobChange[]): Promise<void> {
  const dues = duesOf(changes, ports.clock.now());
  if (dues.length > 0) await ports.deadlines.save(endpoint, changes[0]?.sequence ?? '', dues);

  const all = changes.map(sequenced);
  const byPartition = Map.groupBy(all, ({ partition }) => partition);
  const arrived = new Map<string, ArrivalChange>();
  try {
    for (const [partition, ofPartition] of byPartition) {
      const change = await count(ports, partition, ofPartition);
      if (change) arrived.set(partition, change);
    }
  } finally {
    // One write adds the arrivals of all partitions. It includes those of the counted partitions if another one fails.
    await ports.arrivals.add(endpoint, arrived);
  }

  if (hasComeToWait(sumOf(all.map(({ delta }) => delta)))) await scale(ports, endpoint, 'up');
  const waiting = withNewDeadline(changes).map(({ job }) => job);
  await startTimers(ports.expiryTimers, waiting, ports.clock.now());
  await correctSums(ports, endpoint, await recordHistory(ports, changes));
}

const sequenced = (change: JobChange): SequencedChange & { readonly partition: string } => ({
  partition: partitionOfChange(change),
  sequence: change.sequence,
  delta: deltaOf(change),
  arrivals: arrivalsOf(change),
});

/**
 * Adds the changes to the counts of the partition. If the ledger returns the arrivals of an earlier batch, they are
 * added first, because the ledger forgets them when it adds the next batch.
 * @returns the arrivals that must be added before the next batch
 */
async function count(
  { arrivals, ledger }: { readonly arrivals: Arrivals; readonly ledger: Ledger },
  partition: string,
  changes: readonly SequencedChange[],
): Promise<ArrivalChange | undefined> {
  const added = await ledger.add(partition, changes);
  if (added.left.length === 0) return added.arrivals;
  if (added.arrivals) await arrivals.add(endpointOf(partition), new Map([[partition, added.arrivals]]));
  return count({ arrivals, ledger }, partition, added.left);
}
