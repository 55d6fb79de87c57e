import { describe, expect, it } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { permissionsOf, roleNamed } from '../permissions.ts';
import { interfacesOf, synthesizeWith } from '../synthesis.ts';

// Without the ingress, functions serve all operations. With the ingress, they do not serve waiting calls.
const interfaces = interfacesOf(synthesizeWith({ ingress: 'off' }));
const [template, management] = interfaces;

const variablesOf = (role: string, within: typeof template) => {
  const functions = Object.values(within.findResources('AWS::Lambda::Function'));
  const found = functions.find(({ Properties }) => Properties.Role['Fn::GetAtt'][0] === role);
  return Object.keys(found?.Properties.Environment.Variables).filter((name) => name.endsWith('_TABLE'));
};

/** Permissions of functions that show the position of a job, why it waits, and the state of its webhook. */
const SHOW = { Endpoints: ['Query'], Arrivals: ['Query'], Workers: ['Query'], Deliveries: ['GetItem'] };

/** The same permissions for functions whose calls wait, and therefore use slots. */
const WAIT = { ...SHOW, Endpoints: ['Query', 'UpdateItem'] };

/** The actions that read one job or many jobs. */
const LOOK = ['BatchGetItem', 'GetItem'];

describe.each([
  ['job', template],
  ['management', management],
])('the functions of the stack with the %s interface', (_, its) => {
  it('run on Node 24 and arm64', () => {
    its.allResourcesProperties('AWS::Lambda::Function', {
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: Match.stringLikeRegexp('^index\\.'),
    });
  });

  it('retain their logs for a month', () => {
    its.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 30 });
    its.allResourcesProperties('AWS::Lambda::Function', { LoggingConfig: { LogGroup: Match.anyValue() } });
  });

  it('log no line of Lambda about a call that succeeds, and all lines of the code', () => {
    its.allResourcesProperties('AWS::Lambda::Function', {
      LoggingConfig: { LogFormat: 'JSON', SystemLogLevel: 'WARN', ApplicationLogLevel: Match.absent() },
    });
  });

  it('time out before the gateway, which waits for 29 seconds, or 15 minutes for streamed responses', () => {
    const methods = Object.values(its.findResources('AWS::ApiGateway::Method'));
    // `HEAD` has no function.
    const integrations = methods.map(({ Properties }) => Properties.Integration).filter(({ Type }) => Type !== 'MOCK');
    const functions = its.findResources('AWS::Lambda::Function');
    expect(integrations.length).toBeGreaterThan(0);
    for (const integration of integrations) {
      const [name = ''] = Object.keys(functions).filter((each) => JSON.stringify(integration).includes(`"${each}"`));
      const limit = integration.ResponseTransferMode === 'STREAM' ? 900 : 29;
      expect(functions[name]?.Properties.Timeout).toBeLessThan(limit);
    }
  });

  it('have no managed policies', () => {
    its.allResourcesProperties('AWS::IAM::Role', { ManagedPolicyArns: Match.absent() });
  });
});

describe('the functions', () => {
  it('have timeouts for the longest allowed wait, and of at most 28 seconds if their calls do not wait', () => {
    const timeouts = Object.fromEntries(
      Object.values(template.findResources('AWS::Lambda::Function')).map(({ Properties }) => [
        /(?:lambda|POST|GET|[A-Z]\w+)[^:]*/.exec(Properties.Description)?.[0],
        Properties.Timeout,
      ]),
    );
    expect(timeouts).toMatchObject({
      'POST /{endpoint}/run': 28,
      'POST /{endpoint}/runsync': 328,
      'GET and POST /{endpoint}/status/{job}': 28,
      'GET and POST /{endpoint}/status-sync/{job}': 328,
      'GET, POST, PUT, PATCH and DELETE /{endpoint}/openai/{path+}': 628,
      'POST /{endpoint}/cancel/{job}': 10,
      'POST /{endpoint}/retry/{job}': 28,
      'POST /{endpoint}/purge-queue': 28,
    });
  });

  it('of the management interface have the time that API Gateway waits, so that a slow table does not cause a 500', () => {
    const timeouts = Object.values(management.findResources('AWS::Lambda::Function')).flatMap(({ Properties }) =>
      /^(?:GET|POST|PATCH|DELETE) \/(?!openapi)/.test(Properties.Description) ? [Properties.Timeout as number] : [],
    );
    expect(timeouts.length).toBeGreaterThan(10);
    expect(new Set(timeouts)).toEqual(new Set([28]));
  });

  it('have only known permissions with wildcards', () => {
    // Objects and secrets by prefix, services of the cluster, roles by path, and actions without a resource.
    const wide = interfaces.flatMap((its) =>
      Object.keys(its.findResources('AWS::IAM::Role')).flatMap((role) =>
        permissionsOf(its, role)
          .filter((permission) => JSON.stringify(permission).includes('*'))
          .flatMap(({ actions }) => actions),
      ),
    );
    expect(new Set(wide)).toEqual(
      new Set([
        's3:GetObject',
        's3:PutObject',
        // For keys of usage plans, also of those that other stacks create.
        'apigateway:DELETE',
        'apigateway:GET',
        'apigateway:POST',
        // Only for the files of the console.
        's3:DeleteObject',
        'ecs:UpdateService',
        'ecs:DescribeServices',
        'ecs:DeregisterTaskDefinition',
        'ecs:DescribeTaskDefinition',
        'ecs:ListTaskDefinitions',
        'ecs:RegisterTaskDefinition',
        // For the instances of pools, and for items of pools by the prefix of their partitions.
        'ecs:DescribeContainerInstances',
        'ecs:DescribeTasks',
        'ecs:ListContainerInstances',
        'ecs:ListTasks',
        'ecs:UpdateContainerInstancesState',
        'autoscaling:DescribeAutoScalingGroups',
        'autoscaling:DescribeAutoScalingInstances',
        'autoscaling:LaunchInstances',
        'autoscaling:TerminateInstanceInAutoScalingGroup',
        'cloudwatch:DescribeAlarms',
        'dynamodb:GetItem',
        'dynamodb:PutItem',
        'iam:PassRole',
        'dynamodb:ListStreams',
        'lambda:GetAccountSettings',
        // For slots, restricted by the prefix of their partitions.
        'dynamodb:UpdateItem',
        // For starts of workers, restricted in the same way.
        'dynamodb:GetItem',
        'dynamodb:PutItem',
        'logs:FilterLogEvents',
        'secretsmanager:DescribeSecret',
        // For keys of functions.
        'secretsmanager:CreateSecret',
        'secretsmanager:DeleteSecret',
      ]),
    );
  });

  it.each(['JobsRunSync', 'JobsStatusSync', 'JobsStream', 'JobsOpenAi'])(
    'of %s can write slots of waiting calls, and no endpoints',
    (name) => {
      const granted = permissionsOf(template, roleNamed(template, `${name}Role`));
      expect(
        granted.filter(({ on, actions }) => on === 'Endpoints' && actions.includes('dynamodb:UpdateItem')),
      ).toEqual([
        {
          on: 'Endpoints',
          actions: ['dynamodb:UpdateItem'],
          condition: {
            'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['waits#*'] },
            Null: { 'dynamodb:LeadingKeys': 'false' },
          },
        },
      ]);
    },
  );

  it('can update all partitions with a prefix only if their calls wait', () => {
    const wide = Object.keys(template.findResources('AWS::IAM::Role')).filter((role) =>
      permissionsOf(template, role).some(
        ({ actions, condition }) =>
          actions.includes('dynamodb:UpdateItem') && JSON.stringify(condition ?? '').includes('*'),
      ),
    );
    expect(wide.map((role) => role.replace(/Role[0-9A-F]{8}$/, ''))).toEqual([
      'JobsRunSync',
      'JobsStatusSync',
      'JobsStream',
      'JobsOpenAi',
    ]);
  });

  it('can encrypt secrets only if they accept jobs or sign webhooks, and decrypt them only if they sign webhooks', () => {
    const ofKeys = Object.keys(template.findResources('AWS::IAM::Role')).flatMap((role) =>
      permissionsOf(template, role)
        .flatMap(({ actions }) => actions)
        .filter((action) => action.startsWith('kms:'))
        .map((action) => [role.replace(/Role[0-9A-F]{8}$/, ''), action]),
    );
    expect(ofKeys).toEqual([
      ['JobsRun', 'kms:GenerateDataKey'],
      ['JobsRunSync', 'kms:GenerateDataKey'],
      ['WebhooksDeliver', 'kms:Decrypt'],
      ['WebhooksDeliver', 'kms:GenerateDataKey'],
    ]);
  });

  it.each<[string, Record<string, string[]>]>([
    ['Authorize', { Keys: ['GetItem'], Endpoints: ['Query'] }],
    ['JobsRun', { Endpoints: ['Query'], Payloads: ['PutItem'], Jobs: ['GetItem', 'PutItem'] }],
    ['RunSync', { ...WAIT, Payloads: ['GetItem', 'PutItem', 'Query'], Jobs: [...LOOK, 'PutItem', 'UpdateItem'] }],
    [
      'JobsStatus',
      {
        ...SHOW,
        Workers: ['GetItem', 'Query'],
        Deliveries: LOOK,
        Payloads: ['GetItem', 'Query'],
        Jobs: [...LOOK, 'UpdateItem'],
      },
    ],
    ['StatusSync', { ...WAIT, Payloads: ['GetItem', 'Query'], Jobs: [...LOOK, 'UpdateItem'] }],
    [
      'Stream',
      {
        Endpoints: ['Query', 'UpdateItem'],
        Payloads: ['GetItem', 'Query', 'UpdateItem'],
        Jobs: [...LOOK, 'UpdateItem'],
      },
    ],
    ['Cancel', { Endpoints: ['Query', 'UpdateItem'], Jobs: ['GetItem', 'UpdateItem'] }],
    [
      'Retry',
      {
        Endpoints: ['Query'],
        Payloads: ['GetItem', 'PutItem'],
        Jobs: ['GetItem', 'UpdateItem'],
        Deliveries: ['UpdateItem'],
      },
    ],
    [
      'WebhooksDeliver',
      {
        Jobs: ['GetItem'],
        Payloads: ['GetItem', 'Query'],
        Deliveries: ['GetItem', 'PutItem', 'UpdateItem'],
        Signing: ['GetItem', 'PutItem'],
      },
    ],
    ['PurgeQueue', { Endpoints: ['Query', 'UpdateItem'], Jobs: ['PutItem', 'Query'], History: ['BatchWriteItem'] }],
    [
      'Requests',
      {
        Endpoints: ['Query', 'UpdateItem'],
        Arrivals: ['Query'],
        Workers: ['Query'],
        Jobs: ['Query', 'UpdateItem'],
      },
    ],
    ['JobsWebhooks', { Endpoints: ['Query'], Deliveries: ['GetItem', 'Query'] }],
    [
      'Resend',
      {
        Endpoints: ['Query'],
        Jobs: ['GetItem'],
        Deliveries: ['DeleteItem', 'GetItem', 'UpdateItem'],
        Deadlines: ['PutItem'],
      },
    ],
    ['Health', { Endpoints: ['Query'], Workers: ['Query'] }],
    [
      'Record',
      {
        Endpoints: ['Query', 'UpdateItem'],
        Deadlines: ['PutItem'],
        Arrivals: ['UpdateItem'],
        History: ['BatchWriteItem', 'GetItem', 'UpdateItem'],
        Payloads: ['GetItem'],
      },
    ],
    [
      'Sweep',
      {
        Endpoints: ['Query', 'Scan', 'UpdateItem'],
        Arrivals: ['Query'],
        Workers: ['DeleteItem', 'GetItem', 'Query'],
        Deadlines: ['DeleteItem', 'Query'],
        Deliveries: ['GetItem', 'PutItem', 'UpdateItem'],
        History: ['BatchWriteItem', 'GetItem', 'Query', 'UpdateItem'],
        Jobs: ['BatchGetItem', 'GetItem', 'Query', 'UpdateItem'],
        Keys: ['Scan'],
        Releases: ['PutItem', 'UpdateItem'],
        Templates: ['GetItem'],
      },
    ],
    ['SweeperExpire', { Endpoints: ['Query'], Jobs: ['GetItem', 'UpdateItem'] }],
    [
      'Observe',
      {
        Endpoints: ['Query', 'Scan', 'UpdateItem'],
        Workers: ['DeleteItem', 'GetItem', 'PutItem', 'Query'],
        Jobs: ['GetItem', 'UpdateItem'],
        History: ['BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'],
        Releases: ['GetItem', 'PutItem', 'UpdateItem'],
        Templates: ['ConditionCheckItem', 'PutItem', 'UpdateItem'],
      },
    ],
    [
      'ManagementEndpoints',
      {
        Endpoints: ['Scan'],
        Templates: ['GetItem'],
        Workers: ['Query'],
        History: ['GetItem', 'Query'],
        Deliveries: ['Query'],
      },
    ],
    ['Register', { Endpoints: ['DeleteItem', 'PutItem'] }],
    ['TemplatesDeclare', { Templates: ['DeleteItem', 'GetItem', 'PutItem'] }],
    ['TemplatesUse', { Templates: ['ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'] }],
  ])('of %s have only the permissions %j, and the names of these tables', (name, expected) => {
    const its = name.startsWith('Management') ? management : template;
    const role = roleNamed(its, `${name}Role`);
    const permissions = permissionsOf(its, role).filter(
      ({ actions }) => actions[0]?.startsWith('dynamodb:') && !actions.some((action) => action.includes('Stream')),
    );
    const actual = [...Map.groupBy(permissions, ({ on }) => on)].map(([on, all]) => {
      const actions = all.flatMap((permission) => permission.actions);
      return [on, actions.map((action) => action.replace('dynamodb:', '')).sort()];
    });
    expect(Object.fromEntries(actual)).toEqual(expected);
    const tables = Object.keys(expected).map((table) => `${table.toUpperCase()}_TABLE`);
    expect(new Set(variablesOf(role, its))).toEqual(new Set(tables));
  });
});
