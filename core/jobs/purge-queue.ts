import type { Clock } from '../clock.ts';
import { CONFLICT, conflictTries, retryOnConflict } from '../conflicts.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { EndpointNotFound } from '../errors.ts';
import { PURGE_PAUSE } from '../limits.ts';

/**
 * Cancels all waiting jobs of an endpoint in constant time.
 *
 * Input: endpoint id. Output: number of waiting jobs according to the ledger.
 *  1. Refuse an unknown endpoint.
 *  2. Raise its generation: waiting jobs of older generations no longer start, and every reader sees them as
 *     CANCELLED.
 *  3. Respond after `PURGE_PAUSE`, when no process uses the old generation any longer. After the response, no
 *     purged job starts and `/health` counts none.
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

/** If two purges coincide, one of them reads the other's generation and raises it again. */
const raise = ({ endpoints }: { readonly endpoints: Endpoints }, id: string): Promise<number> =>
  retryOnConflict(`the generation of ${id}`, conflictTries.generation, async () => {
    const endpoint = await endpoints.readNow(id);
    if (!endpoint) throw new EndpointNotFound(id);
    const isRaised = await endpoints.raiseGeneration(id, endpoint.generation);
    return isRaised ? Math.max(0, endpoint.counts.inQueue) : CONFLICT;
  });
