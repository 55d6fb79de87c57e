import type { Clock } from '../clock.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { PURGE_PAUSE } from '../limits.ts';

/** Of two purges at once, one sees the other's generation and raises it again. */
const TRIES = 5;

/**
 * Removes all jobs that wait, however many there are, in constant time.
 *
 * Input: endpoint id. Output: how many jobs waited, as far as the ledger has got.
 *  1. Refuse an unknown endpoint.
 *  2. Raise its generation: jobs of an older one are no longer started, and every reader is told that they are cancelled.
 *  3. Answer when nobody goes by the old generation any more: no job starts that was removed, and `/health` counts none.
 *     `PURGE_PAUSE` is longer than anybody uses what was read of an endpoint before its generation was raised.
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

async function raise({ endpoints }: { readonly endpoints: Endpoints }, id: string): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const endpoint = await endpoints.readNow(id);
    if (!endpoint) break;
    if (await endpoints.raiseGeneration(id, endpoint.generation)) return Math.max(0, endpoint.counts.inQueue);
  }
  throw new Error(`The generation of ${id} changed ${TRIES} times while it was being raised.`);
}
