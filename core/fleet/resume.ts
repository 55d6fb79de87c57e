import type { Clock } from '../clock.ts';
import type { FleetState } from '../endpoints/fleet-state.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { saveFact } from '../workers/facts.ts';

/** Of writers at once, each sees what the others have written and looks again. */
const TRIES = 10;

/**
 * Lets an endpoint that backs off start workers again, because what made them fail is said to be mended.
 *
 * Input: endpoint id. Output: what had been known of its workers, which counts no more. The next sweep starts them.
 *  1. Refuse an unknown endpoint.
 *  2. Forget why workers did not come. Those that fail from now on count anew.
 *  3. Forget that a release was rolled back: the next sweep tries it again.
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
