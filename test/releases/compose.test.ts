/** Tests how each field of a template is written to a task definition, and which templates cannot run. */
import { describe, expect, it } from '@jest/globals';
import { compose, PLACEHOLDER_IMAGE, type SecretFinder } from '../../core/releases/compose.ts';
import { IMAGE_CACHES, ReleaseRefused, type TaskDefinition } from '../../core/releases/task-definition.ts';
import type { Place } from '../../core/templates/capacity-rules.ts';
import type { Template } from '../../core/templates/template.ts';
import { AGENT_PORT, agentVariables, defaultVariables } from '../../core/workers/protocol.ts';
import { templateOf } from '../templates/settings.ts';

const listed = (variables: Readonly<Record<string, string>>) =>
  Object.entries(variables).map(([name, value]) => ({ name, value }));
const variablesOf = (variables: unknown) =>
  Object.fromEntries((variables as { name: string; value: string }[]).map(({ name, value }) => [name, value]));

const serviceVariables = { ...defaultVariables, ...agentVariables('echo', AGENT_PORT) };
const agent = { name: 'agent', image: 'agent', environment: listed({ AGENT_PORT: String(AGENT_PORT) }) };
const worker = { name: 'worker', image: PLACEHOLDER_IMAGE, environment: listed(serviceVariables), stopTimeout: 120 };
const volume = { name: 'volume', efsVolumeConfiguration: { fileSystemId: 'fs-1' } };

const blueprint: TaskDefinition = {
  family: 'blueprint',
  cpu: '1024',
  requiresCompatibilities: ['FARGATE'],
  volumes: [volume],
  containerDefinitions: [agent, worker],
};

const vault: SecretFinder = {
  find: async (kind, name) => (name.startsWith('gone') ? undefined : `arn:${kind}/${name}`),
};

/** @returns the registered definition, and its container `worker` */
async function composed(differences: Partial<Template> = {}, of = blueprint) {
  const definition = await compose(vault, {
    blueprint: of,
    family: 'Endpoint-echo',
    template: templateOf(differences),
  });
  const container = definition.containerDefinitions.find(({ name }) => name === 'worker');
  if (!container) throw new Error('The definition has no container `worker`.');
  return { definition, container };
}

/** @returns the error that prevents the registration of the definition */
async function refusal(differences: Partial<Template>, place?: Place, of = blueprint): Promise<string> {
  const composition = { blueprint: of, family: 'f', template: templateOf(differences), ...(place && { place }) };
  const error: unknown = await compose(vault, composition).catch((thrown: unknown) => thrown);
  if (!(error instanceof ReleaseRefused)) throw new Error('The definition was not refused.', { cause: error });
  return error.message;
}

describe('a release of an endpoint whose deployment caches images', () => {
  const repository = '111122223333.dkr.ecr.eu-west-1.amazonaws.com/gpu-endpoints/docker.io';
  const dockerLabels = { [IMAGE_CACHES]: JSON.stringify({ 'docker.io': repository }) };
  const cached = { ...blueprint, containerDefinitions: [agent, { ...worker, dockerLabels }] };

  it('pulls the image from the cache', async () => {
    const { container } = await composed({ imageName: 'team/worker:1.2' }, cached);
    expect(container.image).toBe(`${repository}/team/worker:1.2`);
  });

  it('pulls an image with a login from its registry', async () => {
    const { container } = await composed({ imageName: 'team/worker:1.2', containerRegistryAuthId: 'team' }, cached);
    expect(container.image).toBe('team/worker:1.2');
  });
});

describe('a release of a template that sets only its image', () => {
  it('is the blueprint with that image, in the family of the endpoint', async () => {
    const { definition } = await composed();
    expect(definition).toEqual({
      ...blueprint,
      family: 'Endpoint-echo',
      volumes: [],
      containerDefinitions: [agent, { ...worker, image: 'team/worker:1.2' }],
    });
  });
});

describe('the field', () => {
  const inContainer: [keyof Template, Partial<Template>, object][] = [
    ['imageName', { imageName: 'team/other:2' }, { image: 'team/other:2' }],
    ['dockerEntrypoint', { dockerEntrypoint: ['/run', '--fast'] }, { entryPoint: ['/run', '--fast'] }],
    ['dockerStartCmd', { dockerStartCmd: ['serve'] }, { command: ['serve'] }],
    [
      'containerRegistryAuthId',
      { containerRegistryAuthId: 'team' },
      { repositoryCredentials: { credentialsParameter: 'arn:registryAuth/team' } },
    ],
    [
      'ports',
      { ports: ['8080/http', '22/tcp', '8080/tcp'] },
      {
        portMappings: [
          { containerPort: 8080, protocol: 'tcp' },
          { containerPort: 22, protocol: 'tcp' },
        ],
      },
    ],
    [
      'volumeMountPath',
      { volumeInGb: 5, volumeMountPath: '/data' },
      { mountPoints: [{ sourceVolume: 'volume', containerPath: '/data', readOnly: false }] },
    ],
  ];

  it.each(inContainer)('%s is set in the container', async (_, differences, members) => {
    const { container } = await composed(differences);
    expect(container).toMatchObject(members);
  });

  it.each(['entryPoint', 'command', 'repositoryCredentials', 'portMappings', 'secrets', 'mountPoints'])(
    'does not override %s of the image if the field is empty',
    async (member) => {
      const { container } = await composed();
      expect(container).not.toHaveProperty(member);
    },
  );

  it('`env` overrides the defaults of RunPod, but not the variables of this service', async () => {
    const env = { RUNPOD_LOG_LEVEL: 'DEBUG', ENDPOINT_ID: 'another', MODE: 'fast' };
    const { container } = await composed({ env });
    expect(variablesOf(container.environment)).toEqual({
      ...serviceVariables,
      RUNPOD_LOG_LEVEL: 'DEBUG',
      MODE: 'fast',
    });
    expect(container.environment).toHaveLength(Object.keys(serviceVariables).length + 1);
  });

  it('`env` can refer to secrets, which are then not in the variables', async () => {
    const env = { TOKEN: '{{secrets:HUB}}', RUNPOD_LOG_LEVEL: '{{secrets:LEVEL}}', RUNPOD_POD_ID: '{{secrets:gone}}' };
    const { container } = await composed({ env });
    expect(container.secrets).toEqual([
      { name: 'TOKEN', valueFrom: 'arn:env/HUB' },
      { name: 'RUNPOD_LOG_LEVEL', valueFrom: 'arn:env/LEVEL' },
    ]);
    const { RUNPOD_LOG_LEVEL: _, ...rest } = serviceVariables;
    expect(variablesOf(container.environment)).toEqual(rest);
  });

  it('`env` cannot set the path of the volume', async () => {
    const { container } = await composed({ volumeInGb: 5, env: { VOLUME_PATH: '/mine' } });
    expect(variablesOf(container.environment).VOLUME_PATH).toBe('/workspace');
  });

  it('`volumeInGb` of 0 removes the volume from the task', async () => {
    expect((await composed({ volumeInGb: 0 })).definition.volumes).toEqual([]);
    expect((await composed({ volumeInGb: 1 })).definition.volumes).toEqual([volume]);
  });

  it.each([
    [1, undefined],
    [20, undefined],
    [21, { sizeInGiB: 21 }],
    [200, { sizeInGiB: 200 }],
  ])('`containerDiskInGb` of %d sets a disk size that Fargate accepts', async (containerDiskInGb, disk) => {
    expect((await composed({ containerDiskInGb })).definition.ephemeralStorage).toEqual(disk);
  });

  it('`containerDiskInGb` is not part of a definition for instances', async () => {
    const { definition } = await composed(
      { containerDiskInGb: 500 },
      { ...blueprint, requiresCompatibilities: ['EC2'] },
    );
    expect(definition).not.toHaveProperty('ephemeralStorage');
  });
});

describe('a release is refused', () => {
  it.each<[string, Partial<Template>, string]>([
    [
      'its secret',
      { env: { A: '{{secrets:gone}}' } },
      '`env.A` refers to secret gone, which does not exist: create it, or change `env`.',
    ],
    [
      'its login',
      { containerRegistryAuthId: 'gone-b' },
      '`containerRegistryAuthId` is gone-b, which does not exist: create the login, or change the id.',
    ],
  ])('if %s was deleted', async (_, differences, sentence) => {
    expect(await refusal(differences)).toBe(sentence);
  });

  it("if the template has the agent's port, which the blueprint sets", async () => {
    const moved = { ...agent, environment: listed({ AGENT_PORT: '9000' }) };
    const reason = await refusal({ ports: ['9000/http'] }, undefined, {
      ...blueprint,
      containerDefinitions: [moved, worker],
    });
    expect(reason).toBe('`ports` must not contain 9000, which the agent beside the container uses.');
  });

  it('with one message that names all fields that the capacity does not support', async () => {
    const template = { category: 'NVIDIA', containerDiskInGb: 201, isServerless: false } as const;
    expect(await refusal(template, { category: 'CPU', largestDiskInGb: 200, imageRepositories: [] })).toBe(
      '`isServerless` must be true: endpoints run workers, and Pods are not supported; ' +
        "`category` must be CPU, the category of the endpoint's capacity, got NVIDIA; " +
        "`containerDiskInGb` must be at most 200, the largest disk of a worker on the endpoint's capacity, got 201.",
    );
  });

  it('if its definition is larger than ECS accepts, with a message that contains no value', async () => {
    const reason = await refusal({ env: { A: 'x'.repeat(65_000) } });
    expect(reason).toMatch(
      /^The task definition has 6\d{4} bytes; ECS accepts at most 65536: shorten `env` of the template\.$/,
    );
  });
});
