import { describe, expect, it } from '@jest/globals';
import { withoutVolume, withVolume } from '../../core/releases/volume.ts';

const efs = { name: 'volume', efsVolumeConfiguration: { fileSystemId: 'fs-1' } };
const other = { name: 'scratch' };
const variable = (name: string, value: string) => ({ name, value });

const blueprint = {
  family: 'blueprint',
  taskRoleArn: 'role',
  volumes: [efs, other],
  containerDefinitions: [
    { name: 'agent', image: 'agent', environment: [variable('ENDPOINT_ID', 'echo')] },
    { name: 'worker', image: 'worker', environment: [variable('VOLUME_PATH', '/mine'), variable('A', 'b')] },
    { name: 'sidecar' },
  ],
};

/** Returns the blueprint of an endpoint whose file sets `volumeAlsoAt`. */
const alsoAt = (containerPath: string) => ({
  ...blueprint,
  containerDefinitions: blueprint.containerDefinitions.map((container) =>
    container.name === 'worker'
      ? { ...container, mountPoints: [{ sourceVolume: 'volume', containerPath, readOnly: false }] }
      : container,
  ),
});

describe('a definition with a volume', () => {
  const { containerDefinitions, ...members } = withVolume(blueprint, { gb: 20, path: '/workspace' });
  const [agent, worker, sidecar] = containerDefinitions;

  it('mounts the volume in the worker, and sets the variable with its path even if the template sets it', () => {
    expect(worker).toEqual({
      name: 'worker',
      image: 'worker',
      environment: [variable('A', 'b'), variable('VOLUME_PATH', '/workspace')],
      mountPoints: [{ sourceVolume: 'volume', containerPath: '/workspace', readOnly: false }],
    });
  });

  it('mounts the volume read-only in the agent, and sets the variable with its maximum size', () => {
    expect(agent).toEqual({
      name: 'agent',
      image: 'agent',
      environment: [
        variable('ENDPOINT_ID', 'echo'),
        variable('VOLUME_IN_GB', '20'),
        variable('VOLUME_PATH', '/volume'),
      ],
      mountPoints: [{ sourceVolume: 'volume', containerPath: '/volume', readOnly: true }],
    });
  });

  it('has no other differences from a definition without a volume', () => {
    expect(sidecar).toEqual({ name: 'sidecar' });
    expect(members).toEqual({ family: 'blueprint', taskRoleArn: 'role', volumes: [efs, other] });
  });

  it('has no volume if the template sets 0 GB', () => {
    expect(withVolume(blueprint, { gb: 0, path: '/workspace' })).toEqual(withoutVolume(blueprint));
  });

  it('has the mount points of the blueprint and of the template', () => {
    const { containerDefinitions: containers } = withVolume(alsoAt('/runpod-volume'), { gb: 20, path: '/workspace' });
    expect(containers.find(({ name }) => name === 'worker')?.mountPoints).toEqual([
      { sourceVolume: 'volume', containerPath: '/workspace', readOnly: false },
      { sourceVolume: 'volume', containerPath: '/runpod-volume', readOnly: false },
    ]);
  });

  it('has one mount point if the template and the blueprint name the same path', () => {
    const path = '/runpod-volume';
    const { containerDefinitions: containers } = withVolume(alsoAt(path), { gb: 20, path });
    expect(containers.find(({ name }) => name === 'worker')?.mountPoints).toEqual([
      { sourceVolume: 'volume', containerPath: path, readOnly: false },
    ]);
  });

  it('has no mount point of the blueprint if the template sets 0 GB', () => {
    const { containerDefinitions: containers } = withVolume(alsoAt('/runpod-volume'), { gb: 0, path: '/workspace' });
    expect(containers.find(({ name }) => name === 'worker')?.mountPoints).toEqual([]);
  });
});
