/** EFS on this machine: a folder for each access point. Variables name the folder instead of its mount point. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Authorize } from '../iam/permissions.ts';
import { fileSystemArn } from './names.ts';
import { rules } from './rules.ts';

export interface AccessPoint {
  readonly arn: string;
  readonly fileSystemId: string;
  /** Absolute path in the file system. */
  readonly rootDirectory: string;
}

/** A volume of a task definition. */
export interface VolumeDefinition {
  readonly name: string;
  readonly fileSystemId: string;
  readonly accessPointId: string;
}

/** Path at which a container sees a volume. */
export interface MountPoint {
  /** The volume's name. */
  readonly volume: string;
  readonly path: string;
  readonly readOnly: boolean;
}

/**
 * Mounts a volume for a task, under its role.
 * @param written whether a container mounts the volume for writing
 * @returns the folder of the volume, which exists
 * @throws Error with the reason for which EFS would refuse the mount
 */
export type Mount = (roleArn: string, volume: VolumeDefinition, written: boolean) => string;

export interface MountOptions {
  /** Access points by id. */
  readonly accessPoints: ReadonlyMap<string, AccessPoint>;
  /** Absolute path of the folder that represents the root of the file system. */
  readonly folder: string;
  /** Authorizes mounts. Without it, every role can mount every volume. */
  readonly authorize?: Authorize | undefined;
}

const { volumeRefused } = rules;

export function createMount({ accessPoints, folder, authorize }: MountOptions): Mount {
  return (roleArn, { name, fileSystemId, accessPointId }, written) => {
    const refused = (reason: string) =>
      new Error(`volume ${name} cannot be mounted: ${reason}`, { cause: volumeRefused.value.error });
    const accessPoint = accessPoints.get(accessPointId);
    if (accessPoint?.fileSystemId !== fileSystemId)
      throw refused(`${fileSystemId} has no access point ${accessPointId}`);
    const context = {
      'elasticfilesystem:accesspointarn': [accessPoint.arn],
      'elasticfilesystem:accessedviamounttarget': ['true'],
    };
    for (const action of written ? ['ClientMount', 'ClientWrite'] : ['ClientMount'])
      try {
        authorize?.(roleArn, `elasticfilesystem:${action}`, fileSystemArn(fileSystemId), context);
      } catch (error) {
        throw refused((error as Error).message);
      }
    const its = join(folder, accessPoint.rootDirectory);
    mkdirSync(its, { recursive: true, mode: 0o700 });
    return its;
  };
}

/**
 * Replaces paths of mount points in variables. A process cannot have its own file system, so a variable with the
 * path of a mount point, or a path below it, gets the path of the folder. The folder is writable, even if the mount
 * point is not.
 * @param folders folders by volume name
 */
export function withFolders(
  environment: Readonly<Record<string, string>>,
  mountPoints: readonly MountPoint[],
  folders: ReadonlyMap<string, string>,
): Record<string, string> {
  const moved = (value: string) => {
    const its = mountPoints.find(({ path }) => value === path || value.startsWith(`${path}/`));
    const folder = its && folders.get(its.volume);
    return folder === undefined ? value : folder + value.slice(its?.path.length);
  };
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, moved(value)]));
}
