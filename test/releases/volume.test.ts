import { describe, expect, it } from '@jest/globals';
import { compose } from '../../core/releases/compose.ts';
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

describe('a definition with a volume', () => {
  const { containerDefinitions, ...members } = withVolume(blueprint, { gb: 20, path: '/workspace' });
  const [agent, worker, sidecar] = containerDefinitions;

  it('has it in the worker, which is told where, whatever its own variables say', () => {
    expect(worker).toEqual({
      name: 'worker',
      image: 'worker',
      environment: [variable('A', 'b'), variable('VOLUME_PATH', '/workspace')],
      mountPoints: [{ sourceVolume: 'volume', containerPath: '/workspace', readOnly: false }],
    });
  });

  it('has it in the agent, which may read it and is told how large it may get', () => {
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

  it('is otherwise as it was', () => {
    expect(sidecar).toEqual({ name: 'sidecar' });
    expect(members).toEqual({ family: 'blueprint', taskRoleArn: 'role', volumes: [efs, other] });
  });

  it('of 0 GB has none', () => {
    expect(withVolume(blueprint, { gb: 0, path: '/workspace' })).toEqual(withoutVolume(blueprint));
  });

  it('is not made of a blueprint without one', () => {
    const old = { family: 'blueprint', containerDefinitions: blueprint.containerDefinitions };
    expect(() => withVolume(old, { gb: 1, path: '/a' })).toThrow('blueprint has no volume: deploy the stack');
    expect(withoutVolume(old).volumes).toEqual([]);
  });
});

describe('what is released now', () => {
  it('has no volume, which ECS would mount although no container asks for it', () => {
    expect(compose(blueprint, 'Endpoint-echo')).toEqual({ ...blueprint, family: 'Endpoint-echo', volumes: [other] });
  });
});
