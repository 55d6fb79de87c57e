/** An agent whose container has a job, and what that container asks. Over the emulated ports of the test file. */
import type { Ports } from '../../aws/ports.ts';
import type { Agent } from '../../worker/agent/agent.ts';
import type { AgentHost } from '../../worker/agent/ports.ts';
import { forever } from './agents.ts';
import { agents, emulated, ports } from './emulated-agents.ts';

/** An agent whose container has a job, and the address of its door. */
export async function busyAgent(
  endpoint: string,
  body?: string,
  host: Partial<AgentHost> = {},
  itsPorts: Ports = ports,
): Promise<{ id: string; agent: Agent; door: string }> {
  await emulated.deploy(endpoint);
  const id = await agents.submit(endpoint, body);
  const agent = await agents.start(endpoint, 'w1', host, itsPorts);
  await agent.next(forever);
  return { id, agent, door: `${await agents.open(agent)}/v2/${endpoint}` };
}

/** Cancels a job that runs, as `/cancel` does. */
export const cancel = (endpoint: string, id: string) =>
  ports.jobs.move('cancelRunning', { endpoint, id }, { $now: ports.clock.now(), $graceStart: 0, $removeAfter: 1 });

/** What the agent answers a container that asks which jobs it shall stop. */
export const stopPoll = async (door: string): Promise<unknown> => (await fetch(`${door}/job-stop/self`)).json();

/** Whether a poll is still open, after calls that began later have been answered. */
export async function isOpen(poll: Promise<unknown>, door: string): Promise<boolean> {
  let open = true;
  void poll.then(() => {
    open = false;
  });
  for (let calls = 0; calls < 3; calls += 1) await fetch(`${door}/ping/self`);
  return open;
}
