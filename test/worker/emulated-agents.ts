/** The emulated world of a test file, with agents in it. */
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { type EmulatedWorld, startEmulatedWorld } from '../emulated-world.ts';
import { type Agents, createAgents } from './agents.ts';

export let emulated: EmulatedWorld;
export let world: EmulatedWorld['world'];
export let agents: Agents;

/**
 * Sets the world and the agents before the first test of the file or of the `describe` that calls it. Ends the agents after
 * each test, and the world after the last.
 */
export function useEmulatedAgents(): void {
  beforeAll(async () => {
    emulated = await startEmulatedWorld();
    ({ world } = emulated);
    agents = createAgents(emulated);
  });
  afterEach(() => agents.end());
  afterAll(() => emulated.stop());
}
