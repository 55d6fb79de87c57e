/**
 * The volume of a template, in the task definition of an endpoint. Its stack has put the volume into the blueprint, and
 * a mount point if the endpoint's file has `volumeAlsoAt`. The template decides at run time whether the containers see
 * the volume, and where.
 */
import * as z from 'zod/mini';
import { volumeVariables } from '../workers/volume.ts';
import { ReleaseRefused, type TaskDefinition } from './task-definition.ts';

/** Name of the volume in the blueprint. */
export const VOLUME = 'volume';

/** Path at which the agent sees the volume, read-only, to measure it. The agent's image has this folder. */
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
  /** Intended size in GB of 2^30 bytes; the agent measures its use against it. 0 means no volume. */
  readonly gb: number;
  /** Path at which the user's container sees it. */
  readonly path: string;
}

function mounted(container: Container, path: string, readOnly: boolean, variables: Record<string, string>): Container {
  const { environment, mountPoints } = containerSchema.parse(container);
  const others = environment.filter(({ name }) => !Object.hasOwn(variables, name));
  // A container runtime refuses two mount points at one path.
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
 * Returns the definition with the volume at its path, which its container gets as VOLUME_PATH. The agent gets its
 * intended size, and sees the volume to measure it.
 * @throws ReleaseRefused if the blueprint has no volume, because it was deployed before there were any
 */
export function withVolume(definition: TaskDefinition, { gb, path }: Volume): TaskDefinition {
  if (gb === 0) return withoutVolume(definition);
  const { volumes } = membersSchema.parse(definition);
  if (!volumes.some(({ name }) => name === VOLUME))
    throw new ReleaseRefused('The stack of the endpoint has no volume: deploy it, or set `volumeInGb` to 0.');
  const containerDefinitions = definition.containerDefinitions.map((container) => {
    if (container.name === 'worker') return mounted(container, path, false, { VOLUME_PATH: path });
    if (container.name !== 'agent') return container;
    return mounted(container, AGENT_VOLUME_PATH, true, volumeVariables(gb, AGENT_VOLUME_PATH));
  });
  return { ...definition, containerDefinitions };
}

/**
 * Returns the definition without the volume. ECS mounts every EFS volume of a task, also one that no container asks
 * for.
 */
export function withoutVolume(definition: TaskDefinition): TaskDefinition {
  const { volumes } = membersSchema.parse(definition);
  return {
    ...definition,
    volumes: volumes.filter(({ name }) => name !== VOLUME),
    containerDefinitions: definition.containerDefinitions.map(unmounted),
  };
}
