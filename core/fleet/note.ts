import type { Endpoints } from '../endpoints/store.ts';
import type { Fact } from './fact.ts';
import { type FleetState, learn } from './state.ts';

/** Of writers at once, each sees what the others have written and looks again. */
const TRIES = 10;

/**
 * Stores what a fact changes in what is known of the endpoint's workers, if it changes anything.
 * @returns what is known now; nothing if there is no such endpoint
 * @throws if others were always faster
 */
export async function noteFact(
  { endpoints }: { readonly endpoints: Endpoints },
  id: string,
  fact: Fact,
): Promise<FleetState | undefined> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const endpoint = await endpoints.readNow(id);
    if (!endpoint) return undefined;
    const learned = learn(endpoint.fleet, fact);
    if (learned === endpoint.fleet || (await endpoints.noteFleet(id, learned))) return learned;
  }
  throw new Error(`Others have written what is known of the workers of ${id}, ${TRIES} times.`);
}
