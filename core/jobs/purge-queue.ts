import type { Clock } from '../clock.ts';
import { CONFLICT, conflictTries, retryOnConflict } from '../conflicts.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { EndpointNotFound } from '../errors.ts';
import { PURGE_PAUSE } from '../limits.ts';

/**
 * Removes all jobs that wait, however many there are, in constant time.
 *
 * Input: endpoint id. Output: how many jobs waited, as far as the ledger has got.
 *  1. Refuse an unknown endpoint.
 *  2. Raise its generation: jobs of an older one are no longer started, and every reader sees them as CANCELLED.
 *  3. Answer when no process uses the old generation any more: no purged job starts, and `/health` counts none.
 *     `PURGE_PAUSE` is longer than a process uses what it read of an endpoint before its generation was raised.
 */
export async function purgeQueue(
  ports: { readonly clock: Clock; readonly endpoints: Endpoints },
  id: string,
): Promise<{ removed: number; status: 'completed' }> {
  await deployed(ports, id);
  const removed = await raise(ports, id);
  await ports.clock.pause(PURGE_PAUSE);
  return { removed, status: 'completed' };
}

/** Of two purges at the same time, one sees the other's generation and raises it again. */
const raise = ({ endpoints }: { readonly endpoints: Endpoints }, id: string): Promise<number> =>
  retryOnConflict(`the generation of ${id}`, conflictTries.generation, async () => {
    const endpoint = await endpoints.readNow(id);
    if (!endpoint) throw new EndpointNotFound(id);
    const isRaised = await endpoints.raiseGeneration(id, endpoint.generation);
    return isRaised ? Math.max(0, endpoint.counts.inQueue) : CONFLICT;
  });
