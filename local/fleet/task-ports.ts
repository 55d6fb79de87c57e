import { freePort, LOOPBACK } from '../ports.ts';
import type { ContainerDefinition } from './definitions.ts';

type Environment = Readonly<Record<string, string>>;

export interface TaskPorts {
  /** Where the agent listens. */
  readonly agent: number;
  /** The environment of a container, with the ports of this task in it. */
  environmentOf(container: Pick<ContainerDefinition, 'environment'>): Environment;
}

/**
 * On ECS the containers of a task share a network interface, which is theirs alone. Here all tasks share one, so each
 * task gets ports of its own: every container that is told AGENT_PORT, or an address with it, is told that one, and so is
 * PORT, by which an agent knows the server that it calls. A container that alone is told a PORT has it for itself.
 * @param preferred is the server's port if nobody listens there
 */
export async function takePorts(
  containers: readonly Pick<ContainerDefinition, 'environment'>[],
  preferred?: number,
): Promise<TaskPorts> {
  const [agent, server] = [await freePort(), await freePort(preferred)];
  const isShared = containers.filter(({ environment }) => 'PORT' in environment).length > 1;

  function withAgentPort(environment: Environment): Environment {
    if (!('AGENT_PORT' in environment)) return environment;
    const [before, now] = [`${LOOPBACK}:${environment.AGENT_PORT}/`, `${LOOPBACK}:${agent}/`];
    const moved = Object.entries(environment).map(([name, value]) => [name, value.replace(before, now)]);
    return { ...Object.fromEntries(moved), AGENT_PORT: String(agent) };
  }

  return {
    agent,
    environmentOf: ({ environment }) => ({
      ...withAgentPort(environment),
      ...(isShared && 'PORT' in environment && { PORT: String(server) }),
    }),
  };
}
