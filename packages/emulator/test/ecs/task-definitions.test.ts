/** Tests task definitions through the ECS API, with the SDK and the proxy. */

import * as sdk from '@aws-sdk/client-ecs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AwsProxy, startAwsProxy } from '../../aws-proxy/server.ts';
import { createEcsApi } from '../../ecs/ecs-api.ts';
import { inputs } from '../../ecs/ecs-input.ts';
import { arnOf, createFamilies, type Families } from '../../ecs/families.ts';
import { createPermissions } from '../../iam/permissions.ts';
import { type DeclaredStatement, parsePolicy } from '../../iam/statement.ts';
import { credentialsOf } from '../credentials.ts';
import { unknownMembers } from '../sdk-model.ts';
import { type SmallEcs, smallEcs } from './small-ecs.ts';

const nowhere = 'http://127.0.0.1:1';
const task = 'arn:aws:iam::000000000000:role/echo-task';
const execution = 'arn:aws:iam::000000000000:role/echo-execution';
const arn = (revision: number) => `arn:aws:ecs:us-east-1:000000000000:task-definition/echo:${revision}`;
const where = { cluster: 'fleet', service: 'echo-Service' };

let families: Families;
let small: SmallEcs;
let proxy: AwsProxy;
let permissions: ReturnType<typeof createPermissions>;
let ecs: sdk.ECSClient;

const clients: sdk.ECSClient[] = [];

function clientOf(role: string): sdk.ECSClient {
  const client = new sdk.ECSClient({
    region: 'us-east-1',
    endpoint: proxy.url,
    maxAttempts: 1,
    credentials: credentialsOf(proxy, role, 'rollout'),
  });
  clients.push(client);
  return client;
}

beforeEach(async () => {
  families = createFamilies(undefined, (tag) => (tag === 'a1b2' ? 'test/worker' : undefined));
  small = smallEcs(1);
  permissions = createPermissions();
  const services = new Map([['ecs', createEcsApi({ ...small.definitions, families })]]);
  const emulators = { dynamodbUrl: nowhere, sqsUrl: nowhere, s3Url: nowhere };
  proxy = await startAwsProxy({ emulators, permissions, tables: new Map(), services, notify: () => undefined });
  ecs = clientOf('operator');
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await proxy.stop();
});

const registration = (image = 'worker:1'): sdk.RegisterTaskDefinitionCommandInput => ({
  family: 'echo',
  taskRoleArn: task,
  executionRoleArn: execution,
  cpu: '256',
  memory: '512',
  networkMode: 'awsvpc',
  requiresCompatibilities: ['FARGATE'],
  containerDefinitions: [
    {
      name: 'worker',
      image,
      environment: [{ name: 'A', value: '1' }],
      command: ['serve'],
      logConfiguration: { logDriver: 'awslogs', options: { 'awslogs-group': 'workers' } },
    },
  ],
});

const register = async (input = registration()) =>
  (await ecs.send(new sdk.RegisterTaskDefinitionCommand(input))).taskDefinition;
const describeIt = async (taskDefinition: string) =>
  (await ecs.send(new sdk.DescribeTaskDefinitionCommand({ taskDefinition }))).taskDefinition;
const deregister = async (taskDefinition: string) =>
  (await ecs.send(new sdk.DeregisterTaskDefinitionCommand({ taskDefinition }))).taskDefinition;
const update = async (taskDefinition: string) =>
  (await ecs.send(new sdk.UpdateServiceCommand({ ...where, taskDefinition }))).service?.taskDefinition;

describe('a task definition', () => {
  it('is numbered within its family, and never changes', async () => {
    const first = await register();
    expect(first).toMatchObject({
      ...registration(),
      taskDefinitionArn: arn(1),
      revision: 1,
      status: 'ACTIVE',
      registeredAt: expect.any(Date),
      registeredBy: 'arn:aws:sts::000000000000:assumed-role/operator/rollout',
    });
    // Registering the same content again creates another revision.
    expect(await register()).toMatchObject({ revision: 2 });
    expect(await register({ ...registration(), family: 'other' })).toMatchObject({ revision: 1 });
    await deregister('echo:2');
    expect(await register(registration('worker:2'))).toMatchObject({ revision: 3 });
    expect(await describeIt('echo:1')).toEqual(first);
  });

  it('is the latest active revision if a call names only the family', async () => {
    for (const image of ['worker:1', 'worker:2', 'worker:3']) await register(registration(image));
    expect(await describeIt('echo')).toMatchObject({ revision: 3 });
    await deregister(arn(3));
    expect(await describeIt('echo')).toMatchObject({ revision: 2 });
    expect(await update('echo')).toBe(arn(2));
    await register();
    const { services = [] } = await ecs.send(new sdk.DescribeServicesCommand({ ...where, services: [where.service] }));
    expect(services[0]?.taskDefinition).toBe(arn(2));
  });

  it('can be described while inactive, but no service can be updated to it', async () => {
    await register();
    expect(await deregister('echo:1')).toMatchObject({ status: 'INACTIVE', deregisteredAt: expect.any(Date) });
    expect(await describeIt('echo:1')).toMatchObject({ status: 'INACTIVE' });
    await expect(update('echo:1')).rejects.toMatchObject({
      name: 'ClientException',
      message: 'TaskDefinition is inactive',
    });
    await expect(update('echo')).rejects.toThrow('TaskDefinition not found.');
    await expect(describeIt('echo')).rejects.toThrow('Unable to describe task definition.');
    await expect(deregister('echo')).rejects.toThrow('Name it as family:revision.');
  });

  it('is listed by the exact name of its family', async () => {
    for (const family of ['echo', 'echo', 'echo', 'echo-sdk'])
      await ecs.send(new sdk.RegisterTaskDefinitionCommand({ ...registration(), family }));
    await ecs.send(new sdk.DeregisterTaskDefinitionCommand({ taskDefinition: 'echo:2' }));
    const list = async (status?: 'ACTIVE' | 'INACTIVE') =>
      (await ecs.send(new sdk.ListTaskDefinitionsCommand({ familyPrefix: 'echo', status }))).taskDefinitionArns;
    expect([await list(), await list('INACTIVE')]).toEqual([[arn(1), arn(3)], [arn(2)]]);
  });

  it('can be registered again from its description', async () => {
    const { containerDefinitions, family, taskRoleArn, volumes, placementConstraints } = (await register()) ?? {};
    const again = { containerDefinitions, family, taskRoleArn, volumes, placementConstraints };
    expect(await register(again as sdk.RegisterTaskDefinitionCommandInput)).toMatchObject({ revision: 2 });
  });

  it('shows images that CDK builds under their names in the list of images, even after the assembly has changed', async () => {
    const files = new Map<string, unknown>();
    const state = {
      readJson: <Content>(name: string) => files.get(name) as Content | undefined,
      writeJson: (name: string, content: unknown) => files.set(name, JSON.parse(JSON.stringify(content))),
    };
    const image = '000000000000.dkr.ecr.us-east-1.amazonaws.com/assets:a1b2';
    const registered = inputs.RegisterTaskDefinition.parse(registration(image));
    const made = createFamilies(state, () => 'test/worker').register(registered, {});
    const found = createFamilies(state).find('echo');
    expect(found).toEqual(made);
    expect(found && arnOf(found)).toBe(arn(1));
    expect(found?.imageNames).toEqual({ [image]: 'test/worker' });
  });

  it('shows images of pull-through caches under their names in their registries', () => {
    const families = createFamilies();
    families.caches.set('team/quay.io', 'quay.io').set('team/docker.io', 'registry-1.docker.io');
    const namesOf = (path: string) => {
      const image = `000000000000.dkr.ecr.us-east-1.amazonaws.com/${path}`;
      return families.register(inputs.RegisterTaskDefinition.parse(registration(image)), {}).imageNames[image];
    };
    expect(namesOf('team/quay.io/a/b:1')).toBe('quay.io/a/b:1');
    expect(namesOf('team/docker.io/a/b:1')).toBe('a/b:1');
    expect(namesOf('team/docker.io/library/nginx')).toBe('nginx');
    expect(namesOf('other/a/b:1')).toBeUndefined();
  });

  it.each([
    [{ family: 'a b' }, 'family cannot be "a b"'],
    [{ taskRoleArn: undefined }, 'taskRoleArn is missing'],
    [{ volumes: [{ name: 'data' }] }, 'volumes.0.efsVolumeConfiguration is missing'],
    [{ pidMode: 'host' }, 'pidMode is not supported'],
    [{ containerDefinitions: [] }, 'containerDefinitions cannot be []'],
    [
      {
        containerDefinitions: [{ name: 'a', image: 'a', dependsOn: [{ containerName: 'a', condition: 'START' }] }],
      },
      'its containers wait for each other',
    ],
  ] as const)('is refused if it cannot run here: %j', async (wrong, message) => {
    const input = { ...registration(), ...wrong } as unknown as sdk.RegisterTaskDefinitionCommandInput;
    await expect(register(input)).rejects.toThrow(message);
    expect(families.find('echo')).toBeUndefined();
  });

  it('must identify secrets by ARN, use each name only once, and have an execution role', async () => {
    const secret = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:gpu-endpoints/env/TOKEN';
    const having = (valueFrom: string, name = 'TOKEN') => {
      const { containerDefinitions = [], ...rest } = registration();
      const secrets = [{ name, valueFrom }];
      return { ...rest, containerDefinitions: containerDefinitions.map((each) => ({ ...each, secrets })) };
    };
    const repositoryCredentials = { credentialsParameter: `${secret}-a1b2c3` };
    for (const valueFrom of [secret, `${secret}-a1b2c3`])
      expect((await register(having(valueFrom)))?.containerDefinitions).toMatchObject([
        { secrets: [{ name: 'TOKEN', valueFrom }] },
      ]);
    const withLogin = [{ name: 'worker', image: 'worker:1', repositoryCredentials }];
    expect(await register({ ...registration(), containerDefinitions: withLogin })).toMatchObject({
      containerDefinitions: withLogin,
    });

    const noRole = "When you are specifying container secrets, you must also specify a value for 'executionRoleArn'.";
    const refused = (input: object) => expect(register(input as sdk.RegisterTaskDefinitionCommandInput)).rejects;
    await refused({ ...having(secret), executionRoleArn: undefined }).toThrow(noRole);
    const login = { ...registration(), containerDefinitions: withLogin };
    await refused({ ...login, executionRoleArn: undefined }).toThrow(noRole);
    await refused(having(secret, 'A')).toThrow("set on the container, such as 'A'.");
    for (const valueFrom of [`${secret}-a1b2c3:key::`, 'parameter', secret.replace('secretsmanager', 'ssm')])
      await refused(having(valueFrom)).toThrow('containerDefinitions.0.secrets.0.valueFrom cannot be');
  });

  it('requires permission to pass its roles', async () => {
    const allow = (Action: string, Resource: string, Condition?: DeclaredStatement['Condition']) =>
      ({ Effect: 'Allow', Action, Resource, ...(Condition && { Condition }) }) as DeclaredStatement;
    const toTasks = { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } };
    const toLambda = { StringEquals: { 'iam:PassedToService': 'lambda.amazonaws.com' } };
    const may = [
      allow('ecs:RegisterTaskDefinition', 'arn:aws:ecs:us-east-1:000000000000:task-definition/echo:*'),
      allow('ecs:UpdateService', '*'),
      allow('iam:PassRole', task, toTasks),
    ];
    const roles = { rollout: [...may, allow('iam:PassRole', execution, toTasks)], some: may };
    const wrong = [...may, allow('iam:PassRole', execution, toLambda)];
    for (const [role, Statement] of Object.entries({ ...roles, wrong })) {
      permissions.addRole(role);
      permissions.attach(role, parsePolicy({ Version: '2012-10-17', Statement }, 'policy', 'identity'));
    }
    const command = new sdk.RegisterTaskDefinitionCommand(registration());
    const updating = new sdk.UpdateServiceCommand({ ...where, taskDefinition: 'echo' });
    await clientOf('rollout').send(command);
    for (const role of ['some', 'wrong'])
      for (const attempt of [clientOf(role).send(command), clientOf(role).send(updating)])
        await expect(attempt).rejects.toMatchObject({
          name: 'AccessDeniedException',
          message: expect.stringContaining(`not authorized to perform: iam:PassRole on resource: ${execution}`),
        });
    expect(families.find('echo')?.revision).toBe(1);
    await clientOf('rollout').send(updating);
    // A change of the desired count does not pass a role.
    await clientOf('some').send(new sdk.UpdateServiceCommand({ ...where, desiredCount: 2 }));
  });
});

describe('the schema of requests', () => {
  it.each(Object.entries(inputs))('has only members of the SDK model for %s', (operation, schema) => {
    const model = (sdk as unknown as Record<string, unknown>)[`${operation}Request$`];
    expect(model).toBeDefined();
    expect(unknownMembers(schema, model, operation)).toEqual([]);
  });
});
