/**
 * The volume of a template in the task definition of an endpoint. The endpoint's stack adds the volume to the
 * blueprint, and a mount point if the endpoint file has `volumeAlsoAt`. The template determines at run time
 * whether and where the containers see the volume.
 */
import * as z from 'zod/mini';
import { volumeVariables } from '../workers/volume-metrics.ts';
import type { TaskDefinition } from './task-definition.ts';

/** Name of the volume in the blueprint. */
export const VOLUME = 'volume';

/** Read-only mount path of the volume in the agent, which measures it. The agent's image contains this folder. */
export const AGENT_VOLUME_PATH = '/volume';

const membersSchema = z.looseObject({
  volumes: z._default(z.array(z.looseObject({ name: z.string() })), []),
});

const containerSchema = z.looseObject({
  environment: z._default(z.array(z.object({ name: z.string(), value: z.string() })), []),
  mountPoints: z._default(
    z.array(z.looseObject({ sourceVolume: z.optional(z.string()), containerPath: z.optional(z.string()) })),
    [],
  ),
});

type Container = TaskDefinition['containerDefinitions'][number];

export interface Volume {
  /** Intended size in GB of 2^30 bytes, to which the agent compares the used size. 0 means no volume. */
  readonly gb: number;
  /** Mount path in the user's container. */
  readonly path: string;
}

function mounted(container: Container, path: string, readOnly: boolean, variables: Record<string, string>): Container {
  const { environment, mountPoints } = containerSchema.parse(container);
  const others = environment.filter(({ name }) => !Object.hasOwn(variables, name));
  // Container runtimes refuse two mount points at one path.
  const elsewhere = mountPoints.filter(({ containerPath }) => containerPath !== path);
  return {
    ...container,
    environment: [...others, ...Object.entries(variables).map(([name, value]) => ({ name, value }))],
    mountPoints: [{ sourceVolume: VOLUME, containerPath: path, readOnly }, ...elsewhere],
  };
}

function unmounted(container: Container): Container {
  if (container.mountPoints === undefined) return container;
  const { mountPoints } = containerSchema.parse(container);
  return { ...container, mountPoints: mountPoints.filter(({ sourceVolume }) => sourceVolume !== VOLUME) };
}

/**
 * Returns the definition with the volume at its path, which the user's container gets as VOLUME_PATH. The agent
 * gets the intended size, and a mount point to measure the volume.
 */
export function withVolume(definition: TaskDefinition, { gb, path }: Volume): TaskDefinition {
  if (gb === 0) return withoutVolume(definition);
  const containerDefinitions = definition.containerDefinitions.map((container) => {
    if (container.name === 'worker') return mounted(container, path, false, { VOLUME_PATH: path });
    if (container.name !== 'agent') return container;
    return mounted(container, AGENT_VOLUME_PATH, true, volumeVariables(gb, AGENT_VOLUME_PATH));
  });
  return { ...definition, containerDefinitions };
}

/**
 * Returns the definition without the volume. ECS mounts every EFS volume of a task, even one without a mount
 * point.
 */
export function withoutVolume(definition: TaskDefinition): TaskDefinition {
  const { volumes } = membersSchema.parse(definition);
  return {
    ...definition,
    volumes: volumes.filter(({ name }) => name !== VOLUME),
    containerDefinitions: definition.containerDefinitions.map(unmounted),
  };
}
