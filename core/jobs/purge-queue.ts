import type { Clock } from '../clock.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import type { EventCaller } from '../history/event.ts';
import { type EventPorts, eventCallerOf } from '../history/record-event.ts';
import { PURGE_PAUSE, SECOND } from '../limits.ts';
import { EndpointNotFound } from '../requests/errors.ts';
import { CONFLICT, conflictTries, retryOnConflict } from '../stored-items/conflicts.ts';
import { removeAfterEnd } from './ending.ts';

/**
 * A purge asks the ledger every `poll` for the number of removed jobs, for at most `ledger`. If the ledger is late, the
 * purge reads the jobs, until `maxTime` after its markers: with the pause, before the timeout of its function.
 */
export const purgeCount = { poll: 250, ledger: 10 * SECOND, maxTime: 24 * SECOND } as const;

/** The ledger's number of jobs that a purge has removed. */
export interface LedgerCount {
  readonly removed: number;
  /** Whether the ledger has counted the markers of all partitions, and therefore each job that the purge removed. */
  readonly isComplete: boolean;
}

/** Counts the jobs that a purge removes. The generation is always the one that the purge has ended. */
export interface PurgeCounts {
  /**
   * Writes a marker into each partition of the jobs table.
   * @param removeAfter when DynamoDB may remove the markers, in seconds since the epoch
   */
  mark(endpoint: string, generation: number, removeAfter: number): Promise<void>;
  /** Reads the number from the ledger. The cost does not depend on the number of jobs. */
  readLedger(endpoint: string, generation: number): Promise<LedgerCount>;
  /**
   * Counts the jobs themselves, strongly consistent. The cost grows with the number of stored jobs.
   * @param until when to give up, in milliseconds since the epoch
   * @returns undefined if the count was not finished in time
   */
  countStored(endpoint: string, generation: number, until: number): Promise<number | undefined>;
}

type PurgePorts = { readonly clock: Clock; readonly endpoints: Endpoints; readonly purgeCounts: PurgeCounts };

/**
 * Cancels all waiting jobs of an endpoint in constant time.
 *
 * Input: endpoint id. Output: number of jobs that this call removed.
 *  1. Refuse an unknown endpoint.
 *  2. Raise its generation: waiting jobs of older generations no longer start, and every reader sees them as
 *     CANCELLED.
 *  3. Wait for `PURGE_PAUSE`. After that, no process uses the ended generation, and the set of removed jobs is final.
 *     No purged job starts, and `/health` counts none.
 *  4. Count the removed jobs: all jobs of the ended generation that wait or are stored as purged. Each generation is
 *     ended by one purge, so no job is counted twice.
 */
export async function purgeQueue(ports: PurgePorts, id: string): Promise<{ removed: number; status: 'completed' }> {
  await deployed(ports, id);
  const ended = await raise(ports, id);
  await ports.clock.pause(PURGE_PAUSE);
  return { removed: await countRemoved(ports, id, ended), status: 'completed' };
}

/** Cancels all waiting jobs of an endpoint for a caller, and adds that to the history. */
export async function purgeAs(
  ports: PurgePorts & EventPorts,
  id: string,
  by: EventCaller,
): ReturnType<typeof purgeQueue> {
  const purged = await purgeQueue(ports, id);
  const { removed: jobs } = purged;
  await ports.eventHistory.add({ endpoint: id, kind: 'PURGE', at: ports.clock.now(), jobs, by: eventCallerOf(by) });
  return purged;
}

/**
 * If two purges coincide, one of them reads the other's generation and raises it again.
 * @returns the ended generation
 */
const raise = ({ endpoints }: PurgePorts, id: string): Promise<number> =>
  retryOnConflict(`the generation of ${id}`, conflictTries.generation, async () => {
    const endpoint = await endpoints.readNow(id);
    if (!endpoint) throw new EndpointNotFound(id);
    return (await endpoints.raiseGeneration(id, endpoint.generation)) ? endpoint.generation : CONFLICT;
  });

/**
 * Waits until the ledger has counted all changes before the markers. If it is late, counts the jobs themselves. If they
 * are too many to be counted in time, returns the number that the ledger has counted so far.
 */
async function countRemoved({ clock, purgeCounts }: PurgePorts, id: string, ended: number): Promise<number> {
  const markedAt = clock.now();
  await purgeCounts.mark(id, ended, removeAfterEnd(markedAt));
  for (;;) {
    await clock.pause(purgeCount.poll);
    const { removed, isComplete } = await purgeCounts.readLedger(id, ended);
    if (isComplete) return removed;
    if (clock.now() - markedAt >= purgeCount.ledger)
      return (await purgeCounts.countStored(id, ended, markedAt + purgeCount.maxTime)) ?? removed;
  }
}
