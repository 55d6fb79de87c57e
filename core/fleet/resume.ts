import type { Clock } from '../clock.ts';
import type { FleetState } from '../endpoints/fleet-state.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { saveFact } from '../workers/facts.ts';

/** Of writers at once, each sees what the others have written and looks again. */
const TRIES = 10;

/**
 * Lets an endpoint that backs off start workers again, because the operator has repaired the cause.
 *
 * Input: endpoint id. Output: its fleet state before, which no longer counts. The next sweep starts workers.
 *  1. Refuse an unknown endpoint.
 *  2. Clear the failures of workers. The count begins again.
 *  3. Clear a release that was rolled back: the next sweep tries it again.
 */
export async function resume(
  ports: { readonly clock: Clock; readonly endpoints: Endpoints },
  id: string,
): Promise<FleetState> {
  const { fleet } = await deployed(ports, id);
  await saveFact(ports, id, { is: 'released', at: ports.clock.now() });
  await forgetRefused(ports, id);
  return fleet;
}

async function forgetRefused({ endpoints }: { readonly endpoints: Endpoints }, id: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const release = (await endpoints.readNow(id))?.release;
    if (!release?.refused) return;
    const { refused: _, ...rest } = release;
    if (await endpoints.setRelease(id, release, rest)) return;
  }
  throw new Error(`Others have written what ${id} runs, ${TRIES} times.`);
}
