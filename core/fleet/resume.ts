import type { Clock } from '../clock.ts';
import type { FleetState } from '../endpoints/fleet-state.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { CONFLICT, conflictTries, retryOnConflict } from '../stored-items/conflicts.ts';
import { saveRestart } from '../workers/apply-facts.ts';

/**
 * Lets an endpoint that backs off start workers again, because the operator has repaired the cause.
 *
 * Input: endpoint id. Output: its previous fleet state. The next sweep starts workers.
 *  1. Refuse an unknown endpoint.
 *  2. Clear the failures of workers, so that their count restarts at zero. The condition remains until a worker shows
 *     that it is over.
 *  3. Clear a release that was rolled back, so that the next sweep repeats it.
 */
export async function resume(
  ports: { readonly clock: Clock; readonly endpoints: Endpoints },
  id: string,
): Promise<FleetState> {
  const { fleet } = await deployed(ports, id);
  await saveRestart(ports, id, { is: 'resumed', at: ports.clock.now() });
  await forgetRefused(ports, id);
  return fleet;
}

async function forgetRefused({ endpoints }: { readonly endpoints: Endpoints }, id: string): Promise<void> {
  await retryOnConflict(`the release of ${id}`, conflictTries.endpoint, async () => {
    const release = (await endpoints.readNow(id))?.release;
    if (!release?.refused) return undefined;
    const { refused: _, ...rest } = release;
    return (await endpoints.setRelease(id, release, rest)) ? undefined : CONFLICT;
  });
}
