import { describe, expect, it } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { throttleKey } from '../../../core/rates/throttle.ts';
import { PLACEHOLDER_IMAGE } from '../../../core/releases/compose.ts';
import { AGENT_PORT, agentVariables, defaultVariables } from '../../../core/workers/protocol.ts';
import { callerVariables, serverVariables } from '../../../core/workers/server-settings.ts';
import { agentEnvironment, workerEnvironment } from '../../../lib/workers/environment.ts';
import { permissionsOf, roleNamed } from '../permissions.ts';
import { declare, stackOf, staged, synthesize, synthesizeWith } from '../synthesis.ts';

const declaration = declare('echo', {
  image: 'gpu-endpoints/example-echo',
  build: 'examples/echo',
  minWorkers: 1,
  env: { MODE: 'fast' },
});
const called = { protocol: 'http', concurrency: 4, env: { MODE: 'fast' } } as const;
const portSettings = { port: 8080, path: '/a', healthPath: '/b', startTimeout: 1_000 };
const stacks = synthesizeWith(staged, [
  declaration,
  declare('called', called),
  declare('called-elsewhere', { ...called, concurrency: undefined, http: portSettings }),
]);
const { template, images } = stackOf(stacks, 'Endpoint-echo');

interface Container {
  readonly Name: string;
  readonly Environment: { readonly Name: string; readonly Value: unknown }[];
  readonly [property: string]: unknown;
}

function containersOf(from: typeof template): Container[] {
  const [task] = Object.values(from.findResources('AWS::ECS::TaskDefinition'));
  return task?.Properties.ContainerDefinitions as Container[];
}

/** Returns a value with joins resolved and references named, as in `role/<AWS::Region>`. */
function textOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(textOf);
  if ('Ref' in value) return `<${value.Ref}>`;
  if ('Fn::Join' in value) {
    const [separator, parts] = value['Fn::Join'] as [string, unknown[]];
    return parts.map(textOf).join(separator);
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, textOf(member)]));
}

const containers = containersOf(template);
const [agent, worker] = ['agent', 'worker'].map((name) => containers.find(({ Name }) => Name === name));

describe('the queues of an endpoint', () => {
  const queues = Object.entries(template.findResources('AWS::SQS::Queue'));
  const policies = Object.values(template.findResources('AWS::SQS::QueuePolicy'));

  it('are two for normal and two for low priority, and share a dead-letter queue', () => {
    const messages = queues.filter(([, { Properties }]) => Properties.RedrivePolicy);
    expect(queues).toHaveLength(5);
    expect(messages).toHaveLength(4);
    for (const [, { Properties }] of messages)
      expect(Properties).toMatchObject({ VisibilityTimeout: 30, ReceiveMessageWaitTimeSeconds: 20 });
  });

  it('retain a message for longer than a job can wait, and a dead letter for two weeks', () => {
    for (const [, { Properties }] of queues)
      expect(Properties.MessageRetentionPeriod / 86_400).toBe(Properties.RedrivePolicy ? 8 : 14);
  });

  it('retain the message of a waiting job, even if workers return it many times', () => {
    template.resourcePropertiesCountIs(
      'AWS::SQS::Queue',
      { RedrivePolicy: Match.objectLike({ maxReceiveCount: 1000 }) },
      4,
    );
  });

  it('are encrypted at rest and in transit', () => {
    template.allResourcesProperties('AWS::SQS::Queue', { SqsManagedSseEnabled: true });
    const guarded = policies.filter(({ Properties }) =>
      Properties.PolicyDocument.Statement.some(
        ({ Effect, Action, Condition }: { Effect: string; Action: string; Condition?: object }) =>
          Effect === 'Deny' && Action === 'sqs:*' && JSON.stringify(Condition).includes('SecureTransport":"false"'),
      ),
    );
    expect(guarded.flatMap(({ Properties }) => Properties.Queues)).toHaveLength(5);
  });

  it('accept messages only from functions that accept or requeue jobs', () => {
    const allowed = policies.flatMap(({ Properties }) =>
      Properties.PolicyDocument.Statement.filter(({ Effect }: { Effect: string }) => Effect === 'Allow'),
    );
    expect(allowed).toHaveLength(4);
    const path = '/gpu-endpoints/<AWS::Region>/hints/';
    for (const { Action, Condition } of allowed) {
      expect(Action).toBe('sqs:SendMessage');
      expect(textOf(Condition)).toEqual({
        ArnLike: { 'aws:PrincipalArn': `arn:<AWS::Partition>:iam::<AWS::AccountId>:role${path}*` },
      });
    }
    const roles = Object.entries(stackOf(stacks, 'Platform').template.findResources('AWS::IAM::Role'));
    const senders = roles.filter(([, { Properties }]) => textOf(Properties.Path) === path);
    expect(senders.map(([id]) => id.replace(/Role[0-9A-F]{8}$/, ''))).toEqual([
      'IngressTaskTask',
      'JobsRun',
      'JobsRetry',
      'SweeperSweep',
      'FleetEventsObserve',
    ]);
  });
});

describe('the registration of an endpoint', () => {
  const [registration] = Object.values(template.findResources('Custom::Endpoint'));

  it('has the values of the declaration, and no concurrency if the declaration does not set it', () => {
    expect(registration?.Properties).not.toHaveProperty('concurrency');
    expect(registration?.Properties).toMatchObject({
      id: 'echo',
      template: { 'Fn::GetAtt': [expect.any(String), 'template'] },
      category: 'CPU',
      largestDiskInGb: 200,
      minWorkers: 1,
      maxWorkers: 3,
      idleTimeout: 60_000,
      executionTimeout: 600_000,
      streamEnvelope: false,
      service: { 'Fn::GetAtt': [expect.stringContaining('WorkersService'), 'Name'] },
      normalQueueUrls: ['NormalEven', 'NormalOdd'].map((name) => ({ Ref: expect.stringContaining(name) })),
      lowQueueUrls: ['LowEven', 'LowOdd'].map((name) => ({ Ref: expect.stringContaining(name) })),
    });
  });

  it('has the examples as a JSON string, in which numbers stay numbers', () => {
    const examples = [{ name: 'Hello', input: { n: 1 } }];
    const shown = synthesize(declare('echo', { examples }));
    const [its] = Object.values(stackOf(shown, 'Endpoint-echo').template.findResources('Custom::Endpoint'));
    expect(its?.Properties.examples).toBe('[{"name":"Hello","input":{"n":1}}]');
    expect(registration?.Properties).not.toHaveProperty('examples');
  });

  it('is created after its rate limits, queues and workers', () => {
    const types = ['Custom::UsagePlanKeys', 'AWS::SQS::Queue', 'AWS::SQS::QueuePolicy', 'AWS::ECS::Service'];
    const needed = types.map((type) => Object.keys(template.findResources(type)));
    for (const ids of needed) expect(ids).not.toEqual([]);
    expect(registration?.DependsOn).toEqual(expect.arrayContaining(needed.flat()));
  });

  it('has the rate-limit bucket that the authorizer names', () => {
    template.hasResourceProperties('AWS::ApiGateway::ApiKey', { Value: throttleKey('gpu-endpoints-Platform', 'echo') });
  });
});

describe('the workers of an endpoint', () => {
  it('are on Fargate, without a public address', () => {
    template.hasResourceProperties('AWS::ECS::Service', {
      CapacityProviderStrategy: [{ CapacityProvider: 'FARGATE', Weight: 1 }],
      NetworkConfiguration: { AwsvpcConfiguration: Match.objectLike({ AssignPublicIp: 'DISABLED' }) },
    });
  });

  it('admit no traffic', () => {
    template.hasResourceProperties('AWS::ECS::Service', {
      NetworkConfiguration: {
        AwsvpcConfiguration: Match.objectLike({
          SecurityGroups: [{ Ref: 'FleetWorkersGroupId' }],
        }),
      },
    });
    template.resourceCountIs('AWS::EC2::SecurityGroup', 0);
    template.resourceCountIs('AWS::EC2::SecurityGroupIngress', 0);
  });

  it('are replaced only by healthy workers, and are not moved to balance zones', () => {
    template.hasResourceProperties('AWS::ECS::Service', {
      DeploymentConfiguration: {
        DeploymentCircuitBreaker: { Enable: true, Rollback: true },
        MinimumHealthyPercent: 100,
        MaximumPercent: 200,
      },
      AvailabilityZoneRebalancing: 'DISABLED',
    });
  });

  it('retain their logs for a month', () => {
    template.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 30 });
    for (const { LogConfiguration } of containers) expect(LogConfiguration).toMatchObject({ LogDriver: 'awslogs' });
  });

  it('start after the agent is healthy and stop before it, with two minutes to finish a job', () => {
    expect(agent).toMatchObject({ Essential: true, StopTimeout: 120 });
    expect(agent?.HealthCheck).toMatchObject({ Command: expect.arrayContaining(['CMD', 'node']) });
    expect(worker).toMatchObject({
      Essential: true,
      StopTimeout: 120,
      DependsOn: [{ ContainerName: 'agent', Condition: 'HEALTHY' }],
    });
  });

  it('have variables with the addresses that they need', () => {
    const namesOf = (container?: Container) => new Set(container?.Environment.map(({ Name }) => Name));
    const tables = ['ENDPOINTS_TABLE', 'JOBS_TABLE', 'PAYLOADS_TABLE', 'WORKERS_TABLE'];
    const queues = ['NORMAL_QUEUE_URLS', 'LOW_QUEUE_URLS'];
    expect(namesOf(agent)).toEqual(
      new Set([
        'ENDPOINT_ID',
        'AGENT_PORT',
        'DEPLOYMENT',
        'IDLE_TIMEOUT',
        'PAYLOADS_BUCKET',
        'SECRETS_KEY',
        ...tables,
        ...queues,
      ]),
    );
    const protocol = { ...defaultVariables, ...agentVariables('e', 0) };
    expect(namesOf(worker)).toEqual(new Set(Object.keys(protocol)));
  });

  it.each([
    [undefined, 8000, 4],
    [portSettings, 8080, 1],
  ])('are called at their port and path if they are HTTP servers: %j', (http, port, concurrency) => {
    const id = http ? 'called-elsewhere' : 'called';
    const [caller, server] = containersOf(stackOf(stacks, `Endpoint-${id}`).template);
    const passed = (container?: Container) =>
      Object.fromEntries(container?.Environment.map(({ Name, Value }) => [Name, Value]) ?? []);
    expect(passed(server)).toEqual(serverVariables(id, port, concurrency));
    const settings = http ?? { port, path: '/', healthPath: '/health', startTimeout: 300_000 };
    expect(passed(caller)).toMatchObject({ AGENT_PORT: String(AGENT_PORT), ...callerVariables(settings, concurrency) });
    const [{ Properties: said } = {}] = Object.values(
      stackOf(stacks, `Endpoint-${id}`).template.findResources('Custom::Endpoint'),
    );
    expect(said?.concurrency).toBe(concurrency);
    expect(JSON.stringify(caller?.HealthCheck)).toContain(`127.0.0.1:${AGENT_PORT}/health`);
  });

  it.each([
    [undefined, undefined, '1'],
    [4, '4', '4'],
  ])(
    'have at most `concurrency` jobs, and a Node worker has at most one by default: %s',
    (concurrency, bound, slots) => {
      const declared = declare('bounded', { concurrency });
      expect(agentEnvironment(declared).CONCURRENCY).toBe(bound);
      expect(workerEnvironment(declared).CONCURRENCY).toBe(slots);
    },
  );

  it('run images that a deployment builds, under fixed names', () => {
    expect(new Set(Object.keys(images))).toEqual(new Set(['gpu-endpoints/agent', 'gpu-endpoints/example-echo']));
  });

  it('run images built only from their sources, so that other changes do not replace workers', () => {
    const sources = ['.npmrc', 'aws', 'core', 'package-lock.json', 'package.json', 'worker'];
    expect(new Set(images['gpu-endpoints/agent'])).toEqual(new Set(sources));
    expect(new Set(images['gpu-endpoints/example-echo'])).toEqual(new Set([...sources, 'examples']));
  });

  it('run the image of the template, for which the blueprint has a placeholder', () => {
    expect(worker?.Image).toBe(PLACEHOLDER_IMAGE);
  });
});

describe('the role of the workers', () => {
  const permissions = permissionsOf(template, roleNamed(template, 'TaskRole'));
  const only = (partitions: readonly string[]) => ({
    'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': partitions },
    Null: { 'dynamodb:LeadingKeys': 'false' },
  });

  it.each([
    ['Jobs', ['GetItem', 'UpdateItem'], ['echo#0', 'echo#1', 'echo#2', 'echo#3']],
    ['Payloads', ['GetItem', 'PutItem'], ['echo#0', 'echo#1', 'echo#2', 'echo#3', 'echo#volume']],
    ['Endpoints', ['Query'], ['echo']],
    ['Workers', ['DeleteItem', 'GetItem', 'PutItem', 'Query'], ['echo', 'starts#echo']],
  ])('allows on %s only %j, and only in the partitions %j', (table, actions, partitions) => {
    const granted = { on: table, actions: actions.map((action) => `dynamodb:${action}`), condition: only(partitions) };
    expect(permissions.filter(({ on }) => on === table)).toEqual([granted]);
  });

  it('allows reading messages of its queues, and sending one for a requeued job', () => {
    const messages = permissions.filter(({ actions }) => actions[0]?.startsWith('sqs:'));
    expect(messages).toHaveLength(4);
    for (const { on, actions } of messages) {
      expect(on).toMatch(/^\{"Fn::GetAtt":\["Hints(Normal|Low)(Even|Odd)[0-9A-F]{8}","Arn"\]\}$/);
      expect(actions).toEqual([
        'sqs:ChangeMessageVisibility',
        'sqs:DeleteMessage',
        'sqs:ReceiveMessage',
        'sqs:SendMessage',
      ]);
    }
  });

  it('allows reading objects of its endpoint, and storing results and chunks of long jobs', () => {
    const objects = permissions.filter(({ actions }) => actions[0]?.startsWith('s3:'));
    const granted = objects.map(({ on, actions }) => [/"\/(\d+\/\w+\/\*)"/.exec(on)?.[1], actions]);
    expect(granted).toEqual([
      ['2/echo/*', ['s3:GetObject']],
      ['50/echo/*', ['s3:GetObject']],
      ['8/echo/*', ['s3:GetObject']],
      ['2/echo/*', ['s3:PutObject']],
      ['8/echo/*', ['s3:PutObject']],
    ]);
  });

  it('allows protecting tasks with the tag of its endpoint', () => {
    const [protection, ...others] = permissions.filter(({ actions }) => actions[0]?.startsWith('ecs:'));
    expect(others).toEqual([]);
    expect(protection?.actions).toEqual(['ecs:GetTaskProtection', 'ecs:UpdateTaskProtection']);
    expect(protection?.on).toContain(':task/');
    expect(protection?.condition).toEqual({ StringEquals: { 'aws:ResourceTag/gpu-endpoints:endpoint': 'echo' } });
    template.hasResourceProperties('AWS::ECS::Service', {
      PropagateTags: 'SERVICE',
      Tags: Match.arrayWith([{ Key: 'gpu-endpoints:endpoint', Value: 'echo' }]),
    });
  });

  it('allows decrypting secrets of jobs of its endpoint, but not encrypting', () => {
    const ofKeys = permissions.filter(({ actions }) => actions.some((action) => action.startsWith('kms:')));
    expect(ofKeys).toEqual([
      {
        on: '{"Ref":"StorageSecretsArn"}',
        actions: ['kms:Decrypt'],
        condition: { StringEquals: { 'kms:EncryptionContext:endpoint': 'echo' } },
      },
    ]);
  });

  it('allows mounting the folder of its endpoint, without root access', () => {
    expect(permissions.filter(({ actions }) => actions[0]?.startsWith('elasticfilesystem:'))).toEqual([
      {
        on: expect.stringContaining(':file-system/",{"Ref":"StorageVolumesFileSystemId"}'),
        actions: ['elasticfilesystem:ClientMount', 'elasticfilesystem:ClientWrite'],
        condition: {
          StringEquals: {
            'elasticfilesystem:AccessPointArn': {
              'Fn::GetAtt': [expect.stringMatching(/^WorkersVolumeAccessPoint/), 'Arn'],
            },
          },
        },
      },
    ]);
  });

  it('allows nothing else', () => {
    expect(permissions).toHaveLength(4 + 4 + 5 + 1 + 1 + 1);
  });
});

describe('the role that starts workers', () => {
  const permissions = permissionsOf(template, roleNamed(template, 'ExecutionRole'));
  const of = (service: string) => permissions.filter(({ actions }) => actions[0]?.startsWith(service));
  const endOf = ({ on }: { on: string }) => /:([^:"]+)"\]\]\}$/.exec(on)?.[1];

  it('allows reading secrets that templates can name, and no other secrets', () => {
    const secrets = of('secretsmanager:');
    expect(secrets.map(({ actions }) => actions)).toEqual(Array(2).fill(['secretsmanager:GetSecretValue']));
    expect(secrets.map(endOf)).toEqual(['gpu-endpoints/env/*', 'gpu-endpoints/registry-auth/*']);
    for (const { on } of secrets) expect(on).toContain('":",{"Ref":"AWS::AccountId"},":secret:');
  });

  it('allows pulling from the Amazon ECR repositories of its account and Region, but not pushing', () => {
    const pull = ['ecr:BatchCheckLayerAvailability', 'ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer'];
    const grants = of('ecr:').map(({ on, actions }) => [
      on.includes('{"Ref":"AWS::AccountId"},":repository/*"'),
      actions,
    ]);
    expect(grants).toContainEqual([true, pull]);
    expect(grants).toContainEqual([false, ['ecr:GetAuthorizationToken']]);
    expect(new Set(of('ecr:').flatMap(({ actions }) => actions))).toEqual(
      new Set([...pull, 'ecr:GetAuthorizationToken']),
    );
  });
});
