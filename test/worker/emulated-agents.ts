/** The emulated ports of a test file, and the agents that use them. */
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { type EmulatedDeployment, startEmulatedDeployment } from '../support/emulated-deployment.ts';
import { type Agents, createAgents } from './agents.ts';

export let emulated: EmulatedDeployment;
export let ports: EmulatedDeployment['ports'];
export let agents: Agents;

/**
 * Sets the ports and the agents before the first test of the file or `describe` that calls this function. Stops
 * the agents after each test, and the ports after the last.
 */
export function useEmulatedAgents(): void {
  beforeAll(async () => {
    emulated = await startEmulatedDeployment();
    ({ ports } = emulated);
    agents = createAgents(emulated);
  });
  afterEach(() => agents.end());
  afterAll(() => emulated.stop());
}
