import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { App, Stack, Tags } from 'aws-cdk-lib';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { PublicHostedZone } from 'aws-cdk-lib/aws-route53';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { addStacks } from '../../lib/deployment/deployment.ts';
import { fromFolder, GpuEndpoints, type GpuEndpointsProps } from '../../lib/gpu-endpoints.ts';
import { declared } from '../support/declared.ts';
import { templatesOnly } from './synthesis.ts';

const root = mkdtempSync(join(tmpdir(), 'gpu-endpoints-construct-'));
afterAll(() => rmSync(root, { recursive: true }));

const newApp = (more: object = {}) => new App({ context: { ...templatesOnly, ...more } });

/** Returns the templates by the names of their stacks. */
const templatesOf = (app: App) =>
  Object.fromEntries(app.synth().stacksRecursively.map(({ stackName, template }) => [stackName, template as object]));

function templatesWith(props: GpuEndpointsProps, more: object = {}) {
  const app = newApp(more);
  new GpuEndpoints(app, 'Gpu', props);
  return templatesOf(app);
}

interface Template {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: Tagged }>>;
  readonly Parameters?: Readonly<Record<string, { readonly Default?: string }>>;
}
interface Tagged {
  readonly Name?: unknown;
  readonly Value?: unknown;
  readonly Tags?: readonly { readonly Key: string; readonly Value: unknown }[];
}

/** Returns what must not depend on where a stack is in an app: types and names of resources, and names of parameters. */
function namesIn(template: object): object {
  const { Resources, Parameters = {} } = template as Template;
  const nameTag = ({ Tags: tags }: Tagged) =>
    Array.isArray(tags) ? tags.find(({ Key }) => Key === 'Name')?.Value : undefined;
  const resources = Object.values(Resources).map(({ Type, Properties = {} }) => [
    Type,
    Properties.Name,
    nameTag(Properties),
  ]);
  return { resources: resources.map((each) => JSON.stringify(each)).sort(), parameters: Parameters };
}
const allNames = (templates: Readonly<Record<string, object>>) =>
  Object.fromEntries(Object.entries(templates).map(([name, template]) => [name, namesIn(template)]));

/** Returns the templates of an example endpoint with all pools and templates, whose stacks `add` adds to an app. */
function exampleTemplates(
  add: (app: App, props: Required<Pick<GpuEndpointsProps, 'endpoints' | 'pools' | 'templates'>>) => void,
) {
  const { endpoints: [endpoint] = [], pools = [], templates = [] } = fromFolder(declared);
  const app = newApp();
  add(app, { endpoints: endpoint ? [endpoint] : [], pools, templates });
  return templatesOf(app);
}

describe('GpuEndpoints', () => {
  it('has the names of stacks that are children of the app, wherever it is in an app', () => {
    const expected = allNames(exampleTemplates((app, { endpoints, ...others }) => addStacks(app, endpoints, others)));
    expect(Object.keys(expected)).toContain('gpu-endpoints-Endpoint-echo');
    expect(JSON.stringify(expected)).toContain('gpu-endpoints/Fleet/Vpc');
    const nested = exampleTemplates((app, props) => new GpuEndpoints(new Construct(app, 'Team'), 'Gpu', props));
    expect(allNames(nested)).toEqual(expected);
  });

  it('has the logical ids of stacks that are children of the app, if its own id is Default', () => {
    const expected = exampleTemplates((app, { endpoints, ...others }) => addStacks(app, endpoints, others));
    expect(exampleTemplates((app, props) => new GpuEndpoints(app, 'Default', props))).toEqual(expected);
  });

  it('has the settings of its props, which other constructs of the app do not get', () => {
    const app = newApp();
    const gpu = new GpuEndpoints(app, 'Gpu', { settings: { deployment: 'team' } });
    expect(gpu.node.children.filter(Stack.isStack).map(({ stackName }) => stackName)).toContain('team-Platform');
    expect(app.node.tryGetContext('deployment')).toBeUndefined();
  });

  it('refuses a setting that has another value in the context', () => {
    const synthesis = () => templatesWith({ settings: { deployment: 'team' } }, { deployment: 'other' });
    expect(synthesis).toThrow('`deployment` is "team" in the props and "other" in the context: remove one of them.');
  });

  it("gets the tags and the environment of the team's app", () => {
    const app = newApp();
    const gpu = new GpuEndpoints(app, 'Gpu', { env: { account: '123456789012', region: 'eu-west-1' } });
    Tags.of(app).add('team', 'vision');
    for (const { account, region } of gpu.node.children.filter(Stack.isStack))
      expect([account, region]).toEqual(['123456789012', 'eu-west-1']);
    const storage = JSON.stringify(templatesOf(app)['gpu-endpoints-Storage']);
    for (const tag of [
      { Key: 'gpu-endpoints:deployment', Value: 'gpu-endpoints' },
      { Key: 'team', Value: 'vision' },
    ])
      expect(storage).toContain(JSON.stringify(tag));
  });
});

describe('an app in TypeScript', () => {
  const fields = { image: 'team/chat:1.2', gpus: 1, maxWorkers: 4 } as const;
  const pool = { kind: 'nvidia', instanceTypes: ['g6.xlarge'], maxInstances: 2 } as const;

  it('has the stacks of an app with the same declarations in files', () => {
    const folder = join(root, 'files');
    for (const [file, text] of Object.entries({
      'endpoints/chat.yaml': 'image: team/chat:1.2\ngpus: 1\nmaxWorkers: 4\ncapacity: large\n',
      'capacity/large.yaml': 'kind: nvidia\ninstanceTypes: [g6.xlarge]\nmaxInstances: 2\n',
    })) {
      mkdirSync(join(folder, file, '..'), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    const app = newApp();
    const gpu = new GpuEndpoints(app, 'Gpu', {});
    const capacity = gpu.addPool('large', pool);
    expect(gpu.pool('large')).toBe(capacity);
    gpu.addEndpoint('chat', { ...fields, capacity });
    expect(templatesOf(app)).toEqual(templatesWith(fromFolder(folder)));
  });

  it('gets a sentence for each wrong field of an endpoint or a pool', () => {
    const gpu = new GpuEndpoints(newApp(), 'Gpu', {});
    const own = gpu.addPool('own', { ...pool, isolation: 'endpoint' });
    gpu.addEndpoint('first', { ...fields, capacity: own });
    expect(() => gpu.addEndpoint('chat', { ...fields, capacity: own, maxWorkers: 0 })).toThrow(
      'endpoint chat: `maxWorkers` must be a whole number from 1 to 100, got 0',
    );
    expect(() => gpu.addEndpoint('chat', { ...fields, capacity: own })).toThrow(
      'endpoint chat: `capacity` must not be own: that pool has `isolation: endpoint`, and endpoint first already uses it',
    );
    expect(() => gpu.addEndpoint('Chat', { image: 'team/chat:1.2' })).toThrow('the id of the endpoint must be');
    expect(() => gpu.addEndpoint('pods', { image: 'team/chat:1.2' })).toThrow('the id must not be "pods"');
    expect(() => gpu.addPool('cpu', pool)).toThrow('the id of the pool must be');
    expect(() => gpu.pool('small')).toThrow('There is no pool "small"; the pools are: own.');
    expect(() => gpu.endpoint('chat')).toThrow('There is no endpoint "chat"; the endpoints are: first.');
  });

  it('gives the workers and the ingress its own network', () => {
    const app = newApp();
    const vpc = new Vpc(new Stack(app, 'Network'), 'Vpc', { maxAzs: 2, restrictDefaultSecurityGroup: false });
    new GpuEndpoints(app, 'Gpu', { vpc });
    const fleet = templatesOf(app)['gpu-endpoints-Fleet'] as Template;
    expect(Object.values(fleet.Resources).map(({ Type }) => Type)).not.toContain('AWS::EC2::VPC');
    expect(JSON.stringify(fleet)).toContain('Network:ExportsOutputRefVpcPrivateSubnet1');
  });

  it.each([
    [{ maxAzs: 1 }, {}, 'The VPC of the app has private subnets in 1 availability zone'],
    [
      { maxAzs: 2 },
      { network: { availabilityZones: ['eu-west-1a', 'eu-west-1b'] } },
      'The context `network` is set, and the app gives `vpc`: remove one of them.',
    ],
  ])('refuses a network %j with the settings %j', (network, settings, message) => {
    const app = newApp();
    const vpc = new Vpc(new Stack(app, 'Network'), 'Vpc', { ...network, restrictDefaultSecurityGroup: false });
    expect(() => new GpuEndpoints(app, 'Gpu', { vpc, settings })).toThrow(message);
  });

  it('is notified of alarms by its own topic', () => {
    const app = newApp();
    const topic = new Topic(new Stack(app, 'Team'), 'OnCall');
    new GpuEndpoints(app, 'Gpu', { alarms: { topic } });
    expect(JSON.stringify(templatesOf(app)['gpu-endpoints-Platform'])).toMatch(
      /"AlarmActions":\[\{"Fn::ImportValue":"Team:ExportsOutputRefOnCall/,
    );
  });

  it('cannot give a topic of alarms beside that of the settings', () => {
    const app = newApp();
    const topic = new Topic(new Stack(app, 'Team'), 'OnCall');
    const settings = { alarms: 'arn:aws:sns:eu-west-1:123456789012:on-call' };
    expect(() => new GpuEndpoints(app, 'Gpu', { alarms: { topic }, settings })).toThrow(
      'The context `alarms` is set, and the app gives `alarms.topic`: remove one of them.',
    );
  });
});

describe('an app with a key of KMS', () => {
  const env = { account: '123456789012', region: 'eu-west-1' };

  it('encrypts secrets of jobs and webhooks with it, and has no other key', () => {
    const app = newApp();
    const encryptionKey = new Key(new Stack(app, 'Team'), 'Key');
    new GpuEndpoints(app, 'Gpu', { encryptionKey });
    const templates = templatesOf(app);
    const { Resources } = templates['gpu-endpoints-Storage'] as Template;
    const resources = Object.values(Resources);
    expect(resources.map(({ Type }) => Type)).not.toContain('AWS::KMS::Key');
    const parameter = resources.find(({ Properties }) => Properties?.Name === '/gpu-endpoints/Storage/Secrets/Arn');
    expect(parameter?.Properties).toMatchObject({ Value: { 'Fn::ImportValue': expect.stringMatching(/^Team:/) } });
  });

  it('cannot give one of another Region', () => {
    const app = newApp();
    const arn = 'arn:aws:kms:us-east-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef';
    const encryptionKey = Key.fromKeyArn(new Stack(app, 'Team', { env }), 'Key', arn);
    expect(() => new GpuEndpoints(app, 'Gpu', { encryptionKey, env })).toThrow(
      'The app gives `encryptionKey` of the Region us-east-1: it must be of eu-west-1, the Region of the stacks.',
    );
  });
});

describe('an app with a hosted zone', () => {
  const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef';
  const domainOf = (name: string) => ({ domain: { name, certificate } });

  it.each(['gpu.example.com', 'example.com'])('has alias records in it for the domain name %s', (name) => {
    const app = newApp();
    const hostedZone = new PublicHostedZone(new Stack(app, 'Dns'), 'Zone', { zoneName: 'example.com' });
    new GpuEndpoints(app, 'Gpu', { hostedZone, settings: domainOf(name) });
    const { Resources } = templatesOf(app)['gpu-endpoints-Platform'] as Template;
    const records = Object.values(Resources).filter(({ Type }) => Type === 'AWS::Route53::RecordSet');
    expect(records.map(({ Properties }) => Properties)).toEqual(
      ['A', 'AAAA'].map((Type) => ({
        Name: `${name}.`,
        Type,
        HostedZoneId: { 'Fn::ImportValue': expect.stringMatching(/^Dns:ExportsOutputRefZone/) },
        AliasTarget: {
          DNSName: { 'Fn::GetAtt': [expect.stringMatching(/^Distribution/), 'DomainName'] },
          HostedZoneId: {
            'Fn::FindInMap': ['AWSCloudFrontPartitionHostedZoneIdMap', { Ref: 'AWS::Partition' }, 'zoneId'],
          },
        },
      })),
    );
  });

  it.each([
    [{}, 'The app gives `hostedZone`, which has no effect without the setting `domain`: set `domain`, or remove it.'],
    [
      domainOf('gpu.example.org'),
      'The context `domain.name` must be a name in the zone example.com, which the app gives as `hostedZone`, got "gpu.example.org".',
    ],
    [domainOf('gpu-example.com'), 'must be a name in the zone example.com'],
  ])('is refused with the settings %j', (settings, message) => {
    const app = newApp();
    const hostedZone = new PublicHostedZone(new Stack(app, 'Dns'), 'Zone', { zoneName: 'example.com' });
    expect(() => new GpuEndpoints(app, 'Gpu', { hostedZone, settings })).toThrow(message);
  });
});

describe('a function that may call endpoints', () => {
  /** Returns the resources of the team's stack by type. */
  function teamWith(grant: (fn: LambdaFunction, app: App) => void) {
    const app = newApp();
    const team = new Stack(app, 'Team');
    const code = Code.fromInline('exports.handler = () => undefined');
    const fn = new LambdaFunction(team, 'Caller', { code, handler: 'index.handler', runtime: Runtime.NODEJS_24_X });
    grant(fn, app);
    const { Resources, Parameters } = templatesOf(app).Team as Template;
    return { resources: Map.groupBy(Object.entries(Resources), ([, { Type }]) => Type), parameters: Parameters };
  }

  it('has one key for its endpoints, which it alone may read', () => {
    const { resources, parameters } = teamWith((fn, app) => {
      const gpu = new GpuEndpoints(app, 'Gpu', {});
      gpu.addEndpoint('echo', { image: 'team/echo:1.0' }).grantInvoke(fn);
      gpu.addEndpoint('chat', { image: 'team/chat:1.0' }).grantInvoke(fn);
    });
    const [[key, { Properties: properties }] = ['', {}], ...others] =
      resources.get('Custom::GpuEndpointsClientKey') ?? [];
    expect(others).toEqual([]);
    expect(properties).toMatchObject({ endpoints: ['chat', 'echo'] });
    const secret = { 'Fn::GetAtt': [key, 'secret'] };
    const [[, policy] = []] = resources.get('AWS::IAM::Policy') ?? [];
    expect(policy?.Properties).toMatchObject({
      PolicyDocument: {
        Statement: [{ Action: 'secretsmanager:GetSecretValue', Effect: 'Allow', Resource: secret }],
      },
    });
    const [[, fn] = []] = resources.get('AWS::Lambda::Function') ?? [];
    expect(fn?.Properties).toMatchObject({
      Environment: { Variables: { GPU_ENDPOINTS_KEY_SECRET: secret, GPU_ENDPOINTS_URL: { Ref: expect.any(String) } } },
    });
    expect(Object.values(parameters ?? {}).map(({ Default }) => Default)).toEqual(
      expect.arrayContaining(['/gpu-endpoints/Platform/JobsUrl', '/gpu-endpoints/Platform/CallerKeys/ServiceToken']),
    );
  });

  it('can call the endpoints of a deployment of another app', () => {
    const { resources, parameters } = teamWith((fn) =>
      GpuEndpoints.fromAttributes(fn.stack, 'Gpu', { deployment: 'prod' }).endpoint('chat').grantInvoke(fn),
    );
    expect(resources.get('Custom::GpuEndpointsClientKey')).toHaveLength(1);
    expect(Object.values(parameters ?? {}).map(({ Default }) => Default)).toEqual(
      expect.arrayContaining(['/prod/Platform/JobsUrl', '/prod/Platform/CallerKeys/ServiceToken']),
    );
  });
});

describe('fromFolder', () => {
  const write = (file: string, text: string) => {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  };

  it('reads endpoints, pools and the settings of an environment, and says which environments there are', () => {
    write('endpoints/chat.yaml', 'image: team/chat:1.2\ncapacity: large\ngpus: 1\n');
    write('capacity/large.yaml', 'kind: nvidia\ninstanceTypes: [g6.xlarge]\n');
    write('environments/prod.yaml', "account: '210987654321'\nregion: eu-west-1\ndeployment: prod\n");
    write('environments/prod/endpoints/chat.yaml', 'maxWorkers: 20\n');
    expect(fromFolder(root)).toMatchObject({ endpoints: [{ id: 'chat', maxWorkers: 3 }], settings: {} });
    expect(fromFolder(root, { environment: 'prod' })).toMatchObject({
      endpoints: [{ id: 'chat', capacity: 'large', maxWorkers: 20 }],
      pools: [{ id: 'large' }],
      settings: { deployment: 'prod' },
      env: { account: '210987654321', region: 'eu-west-1' },
    });
    expect(() => fromFolder(root, { environment: 'test' })).toThrow('(prod), got "test"');
  });

  it('throws a sentence for each invalid file', () => {
    write('endpoints/chat.yaml', 'image: team/chat:1.2\nmaxWorkers: 0\n');
    write('templates/one.yaml', 'name: One\n');
    expect(() => fromFolder(root)).toThrow(/chat\.yaml: `maxWorkers` must be|one\.yaml: `imageName`/);
  });
});
