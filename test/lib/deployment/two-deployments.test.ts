/** Tests that two deployments of the same declarations in one account and Region have different names. */
import { describe, expect, it } from '@jest/globals';
import { endpointInName } from '../../../core/deployment.ts';
import { declare, declarePool, type SynthesizedStack, synthesizeWith } from '../synthesis.ts';

type Values = Readonly<Record<string, unknown>>;

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Synthesizes a deployment with every setting that adds resources, and every kind of capacity. */
const stacksOf = (deployment: string, settings: object = {}, endpoints: readonly string[] = ['echo', 'llm']) =>
  synthesizeWith(
    { deployment, webAclRate: 2_000, accessLogDays: 30, reservedConcurrency: 'on', ...settings },
    endpoints.map((id) => declare(id, id === 'echo' ? {} : { capacity: 'nvidia', protocol: 'http' })),
    [declarePool('nvidia', { warmInstances: 1 })],
    [{ id: 'official', name: 'Official', imageName: 'team/worker:1.2' }],
  );

/**
 * Returns a value that is the same in every deployment of the template, or undefined if it contains a generated id
 * or name. Pseudo parameters, except the name and id of the stack, depend only on the account and Region.
 */
function fixedText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!isValues(value)) return undefined;
  if (typeof value.Ref === 'string') return /^AWS::(?!Stack)/.test(value.Ref) ? `<${value.Ref}>` : undefined;
  if (typeof value['Fn::Sub'] === 'string')
    return /\$\{(?!AWS::(?!Stack))/.test(value['Fn::Sub']) ? undefined : value['Fn::Sub'];
  if (isValues(value['Fn::ImportValue'])) return undefined;
  if (typeof value['Fn::ImportValue'] === 'string') return value['Fn::ImportValue'];
  const [, parts] = Array.isArray(value['Fn::Join']) ? value['Fn::Join'] : [];
  if (!Array.isArray(parts)) return undefined;
  const texts = parts.map(fixedText);
  return texts.includes(undefined) ? undefined : texts.join('');
}

const isIntrinsic = (value: Values) => /^(?:Ref|Fn::.+)$/.test(Object.keys(value).join());

/** Properties that contain names, and the resources of policies, which are patterns of names. */
const NAMING =
  /(?:Names?|Family|Namespace|Path|Prefix|Alias|Identifier|Resource|Value|Arn|Group|UserPoolDomain\.Domain|_SCOPE|_NAMESPACE|_NAME)$/;

/** A property with its value, such as `AWS::ApiGateway::RestApi.Name = prod jobs`. */
type Name = string;

/** Returns the fixed names in a part of a template. */
function namesIn(value: unknown, where: string): Name[] {
  const text = fixedText(value);
  if (text !== undefined) return NAMING.test(where) ? [`${where} = ${text}`] : [];
  if (Array.isArray(value)) return value.flatMap((one) => namesIn(one, where));
  if (!isValues(value) || isIntrinsic(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => namesIn(member, `${where}.${name}`));
}

function namesOf({ template }: SynthesizedStack): Name[] {
  const { Resources = {}, Outputs = {}, Parameters = {} } = template.toJSON() as Record<string, Record<string, Values>>;
  const ofResources = Object.values(Resources).flatMap(({ Type, Properties }) => namesIn(Properties, String(Type)));
  const ofOutputs = Object.values(Outputs).flatMap(({ Export }) => namesIn(Export, 'Export'));
  // The default of a template parameter is the name in Parameter Store.
  const ofParameters = Object.values(Parameters).flatMap(({ Default }) => namesIn(Default, 'ParameterName'));
  return [...ofResources, ...ofOutputs, ...ofParameters];
}

/** Names that both deployments can have, with the reason. */
const common: readonly (readonly [name: RegExp, because: string])[] = [
  [/^AWS::ApplicationAutoScaling::.*\.(?:ServiceNamespace|PolicyName) /, 'it belongs to a service'],
  [
    /^AWS::ApplicationAutoScaling::.*\.(?:MetricName|Dimensions\.(?:Name|Value)) /,
    'it is in the namespace of the deployment',
  ],
  [
    /^AWS::ApiGateway::(?:Authorizer\.Name|Stage\.(?:StageName|MethodSettings\.ResourcePath)) /,
    'it belongs to an interface',
  ],
  [/^AWS::CloudFront::Distribution\..*HeaderName /, 'it belongs to requests'],
  [/^AWS::CloudFront::ResponseHeadersPolicy\..*Items\.Value /, 'it is the value of a header'],
  [
    /^AWS::CloudWatch::Alarm\.(?:Metrics\.MetricStat\.Metric\.)?Namespace = AWS\//,
    'it belongs to AWS, with the load balancer of the deployment as dimension',
  ],
  [/^AWS::CloudWatch::Alarm\..*(?:MetricName|Dimensions\.(?:Name|Value)) /, 'it is in the namespace of the deployment'],
  [/^AWS::Cognito::UserPool(?:Group|Client)?\..*Name /, 'it belongs to a user pool'],
  [/^AWS::DynamoDB::Table\..*AttributeName /, 'it belongs to a table'],
  [/^AWS::EC2::VPCEndpoint\.ServiceName /, 'it is a service of AWS'],
  [/^AWS::EC2::LaunchTemplate\..*DeviceName /, 'it belongs to an instance'],
  [/^AWS::EC2::Subnet\.Tags\.Value = (?:Public|Private|Workers)$/, 'it is a kind of subnet'],
  [/^AWS::ECS::Service\.LoadBalancers\.ContainerName /, 'it belongs to a task'],
  [/^AWS::ECS::TaskDefinition\.(?:ContainerDefinitions|Volumes|RuntimePlatform)\./, 'it belongs to a task'],
  [/^AWS::EFS::AccessPoint\.RootDirectory\.Path /, 'it belongs to a file system'],
  [/^AWS::EFS::FileSystem\.FileSystemPolicy\..*(?:= true|= \*)$/, 'it refers to its own file system'],
  [/^AWS::ElasticLoadBalancingV2::\w+\.(?:\w+Attributes\.Value|HealthCheckPath) /, 'it belongs to a load balancer'],
  [/^AWS::Events::Rule\.EventPattern\.detail\.eventName /, 'it is an event of ECS'],
  [/^AWS::IAM::(?:Policy|Role\.Policies)\.PolicyName /, 'it belongs to a role'],
  [
    /^AWS::IAM::(?:Policy|Role\.Policies)\..*Resource = (?:\*|arn:<AWS::Partition>:ecr:<AWS::Region>:<AWS::AccountId>:repository\/\*)$/,
    'it is not the name of a deployment',
  ],
  [
    /^AWS::IAM::Role\.Policies\..*Resource = arn:<AWS::Partition>:cloudwatch:<AWS::Region>:<AWS::AccountId>:alarm:\*$/,
    'IAM checks a list of alarms against all alarms of the account',
  ],
  [
    /^AWS::IAM::Role\.Policies\..*Resource = .*::\/usageplans\/\*\/keys(?:\/\*)?$/,
    'API Gateway chooses the ids of usage plans',
  ],
  [
    /^AWS::IAM::(?:Policy|Role\.Policies)\..*Resource = .*:repository\/cdk-hnb659fds-container-assets-/,
    'it is the repository of the bootstrap',
  ],
  [/^AWS::KMS::Key\.KeyPolicy\.Statement\.Resource = \*$/, 'it refers to its own key'],
  [/^AWS::Lambda::Function\..*POWERTOOLS_SERVICE_NAME /, 'it is in the namespace of the deployment'],
  [/^AWS::S3::Bucket\.LifecycleConfiguration\.Rules\.Prefix /, 'it belongs to a bucket'],
  [/^AWS::WAFv2::WebACL\.Rules\.(?:Name|.*Header\w*\.(?:Name|Value)) /, 'it belongs to a web ACL'],
  [/Tags\.Value = (?:echo|llm)$/, 'it is the tag of an endpoint, which also has the tag of the deployment'],
  [/^Custom::.*\.(?:imageName|volumeMountPath) /, 'it belongs to the template that a file declares'],
  [/^ParameterName = \/(?:aws\/service\/ecs|cdk-bootstrap)\//, 'it is a parameter of AWS or of the bootstrap'],
];

describe('two deployments', () => {
  const [one = [], two = []] = ['one', 'two'].map((deployment) => Object.values(stacksOf(deployment)).flatMap(namesOf));

  it('have no name in common with the same endpoints', () => {
    const names = new Set(two);
    const shared = new Set(one.filter((name) => names.has(name)));
    expect([...shared].filter((name) => !common.some(([known]) => known.test(name)))).toEqual([]);
  });

  it('have no name in common with different networks and endpoints', () => {
    const network = {
      vpcId: 'vpc-0123456789abcdef0',
      privateSubnetIds: ['subnet-0aaaaaaaaaaaaaaa1', 'subnet-0aaaaaaaaaaaaaaa2'],
      availabilityZones: ['eu-west-1a', 'eu-west-1b'],
    };
    const elsewhere = Object.values(stacksOf('two', { network }, ['echo', 'images'])).flatMap(namesOf);
    const names = new Set(elsewhere);
    expect(elsewhere.some((name) => name.includes('two-Endpoint-images'))).toBe(true);
    const shared = new Set(one.filter((name) => names.has(name)));
    expect([...shared].filter((name) => !common.some(([known]) => known.test(name)))).toEqual([]);
  });

  it.each(common)('can both have the name %s, because %s', (known) => {
    expect(one.filter((name) => known.test(name))).not.toEqual([]);
  });

  it('have name patterns that do not overlap, even if one name is a prefix of the other', () => {
    const patternsOf = (names: readonly Name[]) => names.filter((name) => /Resource = .*\*/.test(name));
    const prefixed = Object.values(stacksOf('one-more')).flatMap(namesOf);
    const mine = patternsOf(one).filter((name) => !common.some(([known]) => known.test(name)));
    expect(mine).not.toEqual([]);
    const texts = patternsOf(prefixed).map((name) => name.replace(/^.* = /, ''));
    for (const name of mine) {
      const literals = name.replace(/^.* = /, '').split('*');
      const pattern = new RegExp(`^${literals.map((text) => text.replace(/[.+?^${}()|[\]\\/]/g, '\\$&')).join('.*')}$`);
      expect(texts.filter((text) => pattern.test(text))).toEqual([]);
    }
  });

  it('have stacks whose names begin with the deployment and end with the id of the stack', () => {
    const stacks = Object.entries(stacksOf('one')).map(([id, { name }]) => [id, name]);
    expect(stacks.length).toBeGreaterThan(5);
    for (const [id, name] of stacks) expect(name).toBe(`one-${id}`);
  });

  it('have services of workers whose generated names contain the id of the endpoint, and no other such service', () => {
    // The names are the same in the cloud, and without the deployment and the last part on a laptop.
    const services = Object.entries(stacksOf('one', {}, ['a-endpoint-b', 'endpoint-7', 'x'])).flatMap(
      ([id, { name, template }]) =>
        Object.keys(template.findResources('AWS::ECS::Service')).flatMap((logicalId) => [
          [id, `${name}-${logicalId}-Xa1b2C3d4E5f`] as const,
          [id, `${id}-${logicalId}`] as const,
        ]),
    );
    expect(services).toHaveLength(8);
    for (const [stack, service] of services)
      expect([service, endpointInName(service)]).toEqual([service, /^Endpoint-(.*)$/.exec(stack)?.[1]]);
  });
});
