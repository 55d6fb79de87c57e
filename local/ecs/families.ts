/** Task definitions: families of numbered revisions, which never change and outlive a restart. */
import { isDeepStrictEqual } from 'node:util';
import type { StateDirectory } from '../state/state-directory.ts';
import { containersInStartOrder } from './container-definition.ts';
import type { TaskDefinition } from './definitions.ts';
import { checkFargate } from './launch-type.ts';
import { taskDefinitionArn } from './names.ts';
import type { Registration } from './task-definition-input.ts';
import type { VolumeDefinition } from './volumes.ts';

/** A registration, as it is stored. */
export interface Revision {
  readonly revision: number;
  readonly status: 'ACTIVE' | 'INACTIVE';
  readonly registration: Registration;
  /** ARN of the session that registered it. */
  readonly registeredBy?: string;
  /** Milliseconds since 1970. */
  readonly registeredAt: number;
  readonly deregisteredAt?: number;
  /** The resource of a template that declares it, if any. */
  readonly resource?: string;
  /** Names of the images in `images.yaml`: the name of an image asset is known only from its assembly. */
  readonly imageNames: Readonly<Record<string, string>>;
}

/** The caller or resource that registers it. */
export type Registrar = Pick<Revision, 'registeredBy' | 'resource'> & {
  /** Replaces the lookup in all stacks. */
  readonly imageAsset?: ImageAsset;
};

/** Display name of an image that CDK builds, by the tag of the image. */
type ImageAsset = (tag: string) => string | undefined;

export interface Families {
  /**
   * Adds a revision. A resource of a template that has not changed keeps its revision; one that has changed replaces
   * it.
   * @throws Error with the reason why its containers cannot run together
   */
  register(registration: Registration, registrar: Registrar): Revision;
  /** @param name an ARN, `family:revision`, or a family, which stands for its latest active revision */
  find(name: string): Revision | undefined;
  /** All revisions of the family, the first one first. */
  list(family: string): readonly Revision[];
  /** A deregistered revision is not started by a new deployment; tasks and services that have it keep it. */
  deregister(found: Revision): Revision;
}

const FILE = 'task-definitions.json';

const NAME = /^(?:arn:[^/]*:task-definition\/)?(?<family>[\w-]+)(?::(?<revision>\d+))?$/;

export const arnOf = ({ registration, revision }: Revision): string => taskDefinitionArn(registration.family, revision);

/** @throws Error if a container mounts a volume that does not exist */
function volumesOf({ volumes = [], containerDefinitions }: Registration): VolumeDefinition[] {
  const names = new Set(volumes.map(({ name }) => name));
  const mounted = containerDefinitions.flatMap(({ mountPoints = [] }) => mountPoints);
  const unknown = mounted.find(({ sourceVolume }) => !names.has(sourceVolume));
  if (unknown) throw new Error(`it has no volume ${unknown.sourceVolume}`);
  return volumes.map(({ name, efsVolumeConfiguration: { fileSystemId, authorizationConfig } }) => ({
    name,
    fileSystemId,
    accessPointId: authorizationConfig.accessPointId,
  }));
}

/** As ECS runs it here. */
export function runnable(found: Revision): TaskDefinition {
  const { registration, imageNames } = found;
  const { family, taskRoleArn, executionRoleArn, containerDefinitions, requiresCompatibilities } = registration;
  const volumes = volumesOf(registration);
  return {
    arn: arnOf(found),
    family,
    role: taskRoleArn.split('/').at(-1) ?? '',
    roleArn: taskRoleArn,
    ...(executionRoleArn !== undefined && { executionRoleArn }),
    containers: containersInStartOrder(containerDefinitions, (image) => imageNames[image] ?? image),
    ...(volumes.length > 0 && { volumes }),
    ...(requiresCompatibilities && { compatibilities: requiresCompatibilities }),
  };
}

/**
 * The tag of an image that CDK builds is the hash of its asset, which has a readable name; other images are their own.
 */
function namesOf({ containerDefinitions }: Registration, imageAsset: ImageAsset): Revision['imageNames'] {
  const images = containerDefinitions.map(({ image }) => [image, imageAsset(image.split(':').at(-1) ?? '')] as const);
  return Object.fromEntries(images.flatMap(([image, name]) => (name === undefined ? [] : [[image, name]])));
}

/**
 * @param state stores them; without it they end with the process
 * @param assets of all stacks
 */
export function createFamilies(
  state?: Pick<StateDirectory, 'readJson' | 'writeJson'>,
  assets: ImageAsset = () => undefined,
): Families {
  /** By family, the first revision first. */
  const families = state?.readJson<Record<string, Revision[]>>(FILE) ?? {};
  const revisionsOf = (family: string) => (Object.hasOwn(families, family) ? (families[family] ?? []) : []);

  function store(family: string, revisions: Revision[]): void {
    families[family] = revisions;
    state?.writeJson(FILE, families);
  }

  function add(registration: Registration, { imageAsset = assets, ...by }: Registrar): Revision {
    const { family } = registration;
    const made: Revision = {
      revision: (revisionsOf(family).at(-1)?.revision ?? 0) + 1,
      status: 'ACTIVE',
      registration,
      ...by,
      registeredAt: Date.now(),
      imageNames: namesOf(registration, imageAsset),
    };
    checkFargate(registration);
    runnable(made);
    store(family, [...revisionsOf(family), made]);
    return made;
  }

  function deregister(found: Revision): Revision {
    if (found.status === 'INACTIVE') return found;
    const inactive: Revision = { ...found, status: 'INACTIVE', deregisteredAt: Date.now() };
    const { family } = found.registration;
    store(
      family,
      revisionsOf(family).map((each) => (each.revision === found.revision ? inactive : each)),
    );
    return inactive;
  }

  /** The revision that a resource has now. */
  const ofResource = (family: string, resource: string | undefined) =>
    revisionsOf(family).findLast(
      (each) => resource !== undefined && each.resource === resource && each.status === 'ACTIVE',
    );

  return {
    register(given, registrar) {
      // Without undefined members, as JSON: it is compared with what was stored.
      const registration = JSON.parse(JSON.stringify(given)) as Registration;
      const before = ofResource(registration.family, registrar.resource);
      if (before && isDeepStrictEqual(before.registration, registration)) return before;
      const made = add(registration, registrar);
      if (before) deregister(before);
      return made;
    },
    find(name) {
      const { family = '', revision } = NAME.exec(name)?.groups ?? {};
      const revisions = revisionsOf(family);
      if (revision === undefined) return revisions.findLast(({ status }) => status === 'ACTIVE');
      return revisions.find((each) => each.revision === Number(revision));
    },
    list: revisionsOf,
    deregister,
  };
}
