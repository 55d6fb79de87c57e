/** Task definitions: families of numbered revisions, which never change and outlive a restart. */
import { isDeepStrictEqual } from 'node:util';
import type { StateDirectory } from '../state/state-directory.ts';
import { type ImageCaches, upstreamName } from './cached-images.ts';
import { containersInStartOrder } from './container-definition.ts';
import type { TaskDefinition } from './definitions.ts';
import { checkFargate } from './launch-type.ts';
import { taskDefinitionArn } from './names.ts';
import type { Registration } from './task-definition-input.ts';
import type { VolumeDefinition } from './volumes.ts';

/** A registered task definition in its stored form. */
export interface Revision {
  readonly revision: number;
  readonly status: 'ACTIVE' | 'INACTIVE';
  readonly registration: Registration;
  /** ARN of the session that registered the revision. */
  readonly registeredBy?: string;
  /** Time of the registration, in milliseconds since 1970. */
  readonly registeredAt: number;
  readonly deregisteredAt?: number;
  /** The template resource that declares the revision, if any. */
  readonly resource?: string;
  /**
   * Names of the images in the list of images. The name of an image asset is in its assembly only, so it is stored here.
   */
  readonly imageNames: Readonly<Record<string, string>>;
}

/** The caller or resource that registers the revision. */
export type Registrar = Pick<Revision, 'registeredBy' | 'resource'> & {
  /**
   * Finds the name of an image.
   * @default - a lookup in all stacks
   */
  readonly imageAsset?: ImageAsset;
};

/** Returns the display name of an image that CDK builds, by the tag of the image. */
type ImageAsset = (tag: string) => string | undefined;

export interface Families {
  /** The pull-through caches of images. Tasks find cached images by their names in their registries. */
  readonly caches: Map<string, string>;
  /**
   * Adds a revision. An unchanged template resource keeps its revision; a changed resource gets a new one.
   * @throws Error with the reason for which ECS would refuse the task definition
   */
  register(registration: Registration, registrar: Registrar): Revision;
  /**
   * Finds a revision.
   * @param name an ARN, `family:revision`, or a family, which means its latest active revision
   */
  find(name: string): Revision | undefined;
  /** Returns all revisions of the family, the oldest first. */
  list(family: string): readonly Revision[];
  /** Deregisters a revision. New deployments cannot start it; tasks and services that use it keep it. */
  deregister(found: Revision): Revision;
}

const FILE = 'task-definitions.json';

const NAME = /^(?:arn:[^/]*:task-definition\/)?(?<family>[\w-]+)(?::(?<revision>\d+))?$/;

export const arnOf = ({ registration, revision }: Revision): string => taskDefinitionArn(registration.family, revision);

/**
 * Checks the mount points.
 * @throws Error if a container mounts a volume that does not exist
 */
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

/** Returns the task definition in the form in which it runs here. */
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
 * Returns the display names of the images that CDK builds, whose tag is only the hash of its asset, and the names of
 * cached images in their registries, by image.
 */
function namesOf(
  { containerDefinitions }: Registration,
  imageAsset: ImageAsset,
  caches: ImageCaches,
): Revision['imageNames'] {
  const nameOf = (image: string) => imageAsset(image.split(':').at(-1) ?? '') ?? upstreamName(caches, image);
  const images = containerDefinitions.map(({ image }) => [image, nameOf(image)] as const);
  return Object.fromEntries(images.flatMap(([image, name]) => (name === undefined ? [] : [[image, name]])));
}

/**
 * Creates the families.
 * @param state stores them; without it they last until the process exits
 * @param assets returns the display name of an image of any stack
 */
export function createFamilies(
  state?: Pick<StateDirectory, 'readJson' | 'writeJson'>,
  assets: ImageAsset = () => undefined,
): Families {
  /** Revisions by family, the oldest first. */
  const families = state?.readJson<Record<string, Revision[]>>(FILE) ?? {};
  const caches = new Map<string, string>();
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
      imageNames: namesOf(registration, imageAsset, caches),
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

  /** Returns the latest active revision of the resource. */
  const ofResource = (family: string, resource: string | undefined) =>
    revisionsOf(family).findLast(
      (each) => resource !== undefined && each.resource === resource && each.status === 'ACTIVE',
    );

  return {
    caches,
    register(given, registrar) {
      // JSON removes undefined members, so that the comparison with the stored form works.
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
