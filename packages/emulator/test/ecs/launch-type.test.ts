/** Tests task definitions and services of both launch types with the SDK, through the proxy. */
import * as sdk from '@aws-sdk/client-ecs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AwsProxy, startAwsProxy } from '../../aws-proxy/server.ts';
import { createEcsApi } from '../../ecs/ecs-api.ts';
import { runnable } from '../../ecs/families.ts';
import { serviceArn } from '../../ecs/names.ts';
import { noServices } from '../../ecs/registry.ts';
import { createPermissions } from '../../iam/permissions.ts';
import { parsePolicy } from '../../iam/statement.ts';
import { credentialsOf } from '../credentials.ts';
import { definition, smallEcs } from './small-ecs.ts';

const nowhere = 'http://127.0.0.1:1';
const where = { cluster: 'fleet', service: 'echo-Service' };

let definitions: ReturnType<typeof noServices>;
let proxy: AwsProxy;
let ecs: sdk.ECSClient;

beforeEach(async () => {
  definitions = noServices();
  definitions.clusters.add('fleet');
  const permissions = createPermissions();
  permissions.addRole('operator');
  const Statement = [{ Effect: 'Allow' as const, Action: '*', Resource: '*' }];
  permissions.attach('operator', parsePolicy({ Version: '2012-10-17', Statement }, 'policy', 'identity'));
  proxy = await startAwsProxy({
    emulators: { dynamodbUrl: nowhere, sqsUrl: nowhere, s3Url: nowhere },
    permissions,
    tables: new Map(),
    services: new Map([['ecs', createEcsApi(definitions)]]),
    notify: () => undefined,
  });
  ecs = new sdk.ECSClient({
    region: 'us-east-1',
    endpoint: proxy.url,
    maxAttempts: 1,
    credentials: credentialsOf(proxy, 'operator'),
  });
});
afterEach(async () => {
  ecs.destroy();
  await proxy.stop();
});

async function register(
  requiresCompatibilities: sdk.Compatibility[] | undefined,
  change: Partial<sdk.RegisterTaskDefinitionCommandInput> = {},
) {
  const input = {
    family: 'echo',
    taskRoleArn: 'arn:aws:iam::000000000000:role/echo-task',
    networkMode: 'awsvpc',
    ...(requiresCompatibilities && { requiresCompatibilities }),
    containerDefinitions: [{ name: 'worker', image: 'worker:1' }],
    ...change,
  } satisfies sdk.RegisterTaskDefinitionCommandInput;
  const { taskDefinition } = await ecs.send(new sdk.RegisterTaskDefinitionCommand(input));
  return taskDefinition?.taskDefinitionArn ?? '';
}

const update = (taskDefinition: string) =>
  ecs.send(new sdk.UpdateServiceCommand({ ...where, taskDefinition })).then(({ service }) => service?.taskDefinition);

/** Starts a service with these capacity providers, or only declares it. */
async function serveOn(capacityProviders: readonly string[], runs: boolean): Promise<void> {
  await register(undefined);
  const first = definitions.families.find('echo:1');
  if (!first) throw new Error('There is no first revision.');
  const its = { ...definition, properties: { capacityProviders }, capacityProviders, taskDefinition: runnable(first) };
  if (!runs) return definitions.memory.declare(its);
  const { service } = smallEcs(1, { service: its });
  definitions.running.set(serviceArn('fleet', its.serviceName), service);
}

describe.each([
  ['that runs', true],
  ['that is being deployed', false],
] as const)('ECS, for a service %s,', (_, runs) => {
  it('refuses a task definition of the other launch type', async () => {
    for (const [provider, own, other] of [
      ['FARGATE', 'FARGATE', 'EC2'],
      ['FARGATE_SPOT', 'FARGATE', 'EC2'],
      ['a-pool-of-instances', 'EC2', 'FARGATE'],
    ] as const) {
      await serveOn([provider], runs);
      await expect(update(await register([other]))).rejects.toMatchObject({
        name: 'InvalidParameterException',
        message: `Task definition does not support launch_type ${own}.`,
      });
      for (const fitting of [await register([own]), await register(['EC2', 'FARGATE'])])
        expect(await update(fitting)).toBe(fitting);
    }
  });

  it('describes the capacity provider strategy of the service', async () => {
    await serveOn(['FARGATE_SPOT'], runs);
    const { services = [] } = await ecs.send(
      new sdk.DescribeServicesCommand({ cluster: where.cluster, services: [where.service] }),
    );
    expect(services[0]?.capacityProviderStrategy).toEqual([{ capacityProvider: 'FARGATE_SPOT', weight: 1, base: 0 }]);
  });
});

describe('ECS', () => {
  it('refuses task definitions for Fargate that Fargate cannot run', async () => {
    const resourceRequirements = [{ type: 'GPU' as const, value: '1' }];
    const changes: Record<string, Partial<sdk.RegisterTaskDefinitionCommandInput>> = {
      'network mode': { networkMode: 'bridge' },
      GPUs: { containerDefinitions: [{ name: 'worker', image: 'worker:1', resourceRequirements }] },
    };
    for (const [what, change] of Object.entries(changes)) {
      await expect(register(['FARGATE'], { ...change, family: what.replace(' ', '-') })).rejects.toThrow(what);
      expect(await register(['EC2'], { ...change, family: what.replace(' ', '-') })).toMatch(/:1$/);
    }
  });
});
