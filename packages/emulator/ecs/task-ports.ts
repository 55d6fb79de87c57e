import type { TargetPlace } from '../load-balancer/target-group.ts';
import { freePort, LOOPBACK, randomLoopback } from '../network/ports.ts';
import type { TaskContainers } from '../product.ts';
import type { ContainerDefinition } from './definitions.ts';
import { hasAddress, type Image } from './images.ts';

type Environment = Readonly<Record<string, string>>;
type Container = Pick<ContainerDefinition, 'name' | 'environment' | 'ports'>;

export interface TaskPorts {
  /** Returns the environment of a container with the ports of this task. */
  environmentOf(container: Container): Environment;
  /** Returns the address at which the server of a container listens. */
  addressOf(container: string): string;
  /** Returns the place of a container port; undefined if the container or its image does not name the port. */
  placeOf(container: string, port: number): TargetPlace | undefined;
  /**
   * Returns the place for the health check of a container: that of the lowest container port that its image names,
   * or else the sidecar's port.
   */
  healthPlaceOf(container: string): TargetPlace;
}

/** Returns the container that an attached command replaces: by default, the last one. */
export const mainContainerOf = <Its>(
  described: Pick<TaskContainers, 'mainContainer'> | undefined,
  containers: readonly Its[],
): Its | undefined => (described ? described.mainContainer(containers) : containers.at(-1));

/** Returns the ports of this machine for a container, by container port. */
async function portsFor(
  container: Container,
  image: Image | undefined,
  host: string,
): Promise<ReadonlyMap<number, number>> {
  const named = container.ports?.filter((port) => image?.ports?.[port] !== undefined) ?? [];
  const ports = new Map<number, number>();
  for (const port of named.toSorted((one, other) => one - other)) ports.set(port, await freePort(undefined, host));
  return ports;
}

/**
 * Chooses the ports of a task. On ECS each task has its own network interface. Here all tasks share one, so each
 * task gets its own ports:
 * - The sidecar's port goes to every container that has the variable `sidecarPort`, and to addresses with that port
 *   in its other variables.
 * - The server's port goes to the variable `serverPort`, through which a sidecar finds the server that it calls. If
 *   only one container has this variable, the container keeps its value.
 * - Each port mapping gets a port, in the variable that the list of images names.
 * - A container whose command has an address gets a random one, so that only its load balancer finds its ports.
 * @param variables names of the variables with ports; without them, containers keep their variables
 * @param imageOf returns the image of a container, if it is known
 * @param preferred the server's port if it is free
 */
export async function takePorts<Its extends Container>(
  containers: readonly Its[],
  variables: Pick<TaskContainers, 'sidecarPort' | 'serverPort'> | undefined,
  imageOf: (container: Its) => Image | undefined,
  preferred?: number,
): Promise<TaskPorts> {
  const { sidecarPort, serverPort } = { ...variables };
  const [sidecar, server] = [await freePort(), await freePort(preferred)];
  const hasServer = (environment: Environment) => serverPort !== undefined && serverPort in environment;
  const isShared = containers.filter(({ environment }) => hasServer(environment)).length > 1;
  const mapped = new Map<string, ReadonlyMap<number, number>>();
  const addresses = new Map<string, string>();
  const ofMappings = new Map<string, Environment>();
  for (const container of containers) {
    const image = imageOf(container);
    const host = image && hasAddress(image) ? randomLoopback() : LOOPBACK;
    const ports = await portsFor(container, image, host);
    addresses.set(container.name, host);
    mapped.set(container.name, ports);
    const named = [...ports].map(([port, here]) => [image?.ports?.[port], String(here)]);
    ofMappings.set(container.name, Object.fromEntries(named));
  }

  function withSidecarPort(environment: Environment): Environment {
    if (sidecarPort === undefined || !(sidecarPort in environment)) return environment;
    const [before, now] = [`${LOOPBACK}:${environment[sidecarPort]}/`, `${LOOPBACK}:${sidecar}/`];
    const moved = Object.entries(environment).map(([name, value]) => [name, value.replace(before, now)]);
    return { ...Object.fromEntries(moved), [sidecarPort]: String(sidecar) };
  }

  const addressOf = (container: string) => addresses.get(container) ?? LOOPBACK;
  const placed = (container: string, port: number | undefined) =>
    port === undefined ? undefined : { host: addressOf(container), port };

  return {
    addressOf,
    environmentOf: ({ name, environment }) => ({
      ...withSidecarPort(environment),
      ...(isShared && serverPort !== undefined && serverPort in environment && { [serverPort]: String(server) }),
      ...ofMappings.get(name),
    }),
    placeOf: (container, port) => placed(container, mapped.get(container)?.get(port)),
    healthPlaceOf: (container) =>
      placed(container, mapped.get(container)?.values().next().value) ?? { host: LOOPBACK, port: sidecar },
  };
}
