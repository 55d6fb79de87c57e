import { deployed } from '../endpoints/deployed.ts';
import type { World } from '../world.ts';
import { noteFact } from './note.ts';
import type { FleetState } from './state.ts';

/**
 * Lets an endpoint that backs off start workers again, because what made them fail is said to be mended.
 *
 * Input: endpoint id. Output: what had been known of its workers, which counts no more. The next sweep starts them.
 *  1. Refuse an unknown endpoint.
 *  2. Forget why workers did not come. Those that fail from now on count anew.
 */
export async function resume(world: Pick<World, 'clock' | 'endpoints'>, id: string): Promise<FleetState> {
  const { fleet } = await deployed(world, id);
  await noteFact(world, id, { is: 'released', at: world.clock.now() });
  return fleet;
}
