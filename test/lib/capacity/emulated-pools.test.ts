/** Tests pools of instances and their workers, as the app synthesizes them, on a machine without pools. */

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Template } from '../../../packages/emulator/cloudformation/template.ts';
import { startEcs } from '../../../packages/emulator/ecs/ecs.ts';
import { testContainers } from '../../../packages/emulator/test/ecs/small-ecs.ts';
import { noAws, type SmallService, startSmallService } from '../../../packages/emulator/test/small-service.ts';
import { declare, declarePool, type SynthesizedStack, stackOf, synthesizeWith } from '../synthesis.ts';

const image = 'gpu-endpoints/example-echo';
const pools = [
  declarePool('nvidia', { warmInstances: 1 }),
  declarePool('amd', { kind: 'amd', instanceTypes: ['g4ad.xlarge'], image: 'ami-0123456789abcdef0' }),
];
const stacks = synthesizeWith(
  {},
  pools.map(({ id }) => declare(`on-${id}`, { capacity: id, image })),
  pools,
);

const templateOf = ({ text }: SynthesizedStack) => JSON.parse(text) as Template;

/**
 * Returns the part of an endpoint's template that runs its workers. The variables of containers are omitted, because
 * queues and tables would need emulators.
 */
function workersOf(endpoint: string): Template {
  const { Parameters, Resources } = templateOf(stackOf(stacks, `Endpoint-${endpoint}`));
  const types = ['ECS::TaskDefinition', 'ECS::Service', 'IAM::Role', 'Logs::LogGroup', 'EFS::AccessPoint'];
  const kept = Object.entries(Resources).filter(([, { Type }]) => types.includes(Type.replace('AWS::', '')));
  const [task] = kept.find(([, { Type }]) => Type === 'AWS::ECS::TaskDefinition') ?? [];
  // Functions register released revisions. Without functions, the service runs the blueprint.
  const withoutFunctions = (_: string, value: unknown) => {
    if (!value || typeof value !== 'object') return value;
    if ('Environment' in value) return { ...value, Environment: [] };
    return 'DesiredCount' in value ? { ...value, TaskDefinition: { Ref: task }, DesiredCount: 0 } : value;
  };
  return JSON.parse(JSON.stringify({ Parameters, Resources: Object.fromEntries(kept) }, withoutFunctions)) as Template;
}

/**
 * Returns the file system of the storage stack, which workers need. The tables are omitted, because they would need
 * emulators.
 */
function filesOf({ Resources }: Template): Template {
  const kept = Object.entries(Resources).filter(([id]) => id.startsWith('Volumes'));
  return { Resources: Object.fromEntries(kept) };
}

const templates = {
  Storage: filesOf(templateOf(stackOf(stacks, 'Storage'))),
  Fleet: templateOf(stackOf(stacks, 'Fleet')),
  NVIDIA: workersOf('on-nvidia'),
  AMD: workersOf('on-amd'),
};
let service: SmallService;

beforeAll(async () => {
  service = await startSmallService(templates, '');
});
afterAll(() => service.stop());

describe('a pool of instances', () => {
  it('is deployed without instances, and services can run on it', () => {
    expect([...service.ecs.capacityProviders]).toEqual([
      'FARGATE',
      'FARGATE_SPOT',
      ...pools.map(({ id }) => expect.stringContaining(`Pool${id}Provider`)),
    ]);
  });

  it('stops the start if it does not exist but a service uses it', async () => {
    const change = (_: string, value: unknown) =>
      value && typeof value === 'object' && 'CapacityProvider' in value ? { CapacityProvider: 'gone' } : value;
    const changed = JSON.parse(JSON.stringify(templates.NVIDIA), change) as Template;
    await expect(startSmallService({ ...templates, NVIDIA: changed }, '')).rejects.toThrow(
      /^NVIDIA\/WorkersService\w+ \(AWS::ECS::Service\) cannot run here: there is no capacity provider gone\.$/,
    );
  });
});

describe('a service', () => {
  it('stops the start if its task definition does not support its capacity', async () => {
    const change = (_: string, value: unknown) =>
      value && typeof value === 'object' && 'CapacityProvider' in value ? { CapacityProvider: 'FARGATE' } : value;
    const changed = JSON.parse(JSON.stringify(templates.NVIDIA), change) as Template;
    await expect(startSmallService({ ...templates, NVIDIA: changed }, '')).rejects.toThrow(
      /^NVIDIA\/WorkersService\w+ \(AWS::ECS::Service\) cannot run here: arn:\S+: Task definition does not support launch_type FARGATE\.$/,
    );
  });
});

describe('workers on a pool', () => {
  it('run as processes on this machine, and a message states their number of GPUs in AWS', async () => {
    expect(service.ecs.services.map(({ name }) => name)).toEqual(['NVIDIA', 'AMD']);
    const containers = service.ecs.services.flatMap(({ taskDefinition }) => taskDefinition.containers);
    expect(containers.map(({ name, gpus }) => [name, gpus])).toEqual([
      ['agent', undefined],
      ['worker', 1],
      ['agent', undefined],
      ['worker', undefined],
    ]);

    const notices: string[] = [];
    const host = {
      containers: testContainers,
      awsEnvironment: noAws,
      logFile: String,
      mark: {},
      compileCache: '',
      folder: '',
      images: () => new Map(),
    };
    const ecs = await startEcs({ definitions: service.ecs, host, notify: (text) => notices.push(text) });
    await ecs.stop(1_000);
    expect(notices).toEqual(['Tasks of NVIDIA will have 1 GPU each; here they use the GPUs of this machine.']);
  });
});
