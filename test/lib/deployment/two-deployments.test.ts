/** Tests that two deployments of the same declarations in one account and Region share no name. */
import { describe, expect, it } from '@jest/globals';
import { declare, declarePool, type SynthesizedStack, synthesizeWith } from '../synthesis.ts';

type Values = Readonly<Record<string, unknown>>;

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** With every setting that adds resources, and every kind of capacity. */
const stacksOf = (deployment: string, settings: object = {}, endpoints: readonly string[] = ['echo', 'llm']) =>
  synthesizeWith(
    { deployment, webAclRate: 2_000, accessLogDays: 30, reservedConcurrency: 'on', ...settings },
    endpoints.map((id) => declare(id, id === 'echo' ? {} : { capacity: 'nvidia', protocol: 'http' })),
    [declarePool('nvidia', { warmInstances: 1 })],
    [{ id: 'official', name: 'Official', imageName: 'team/worker:1.2' }],
  );

/**
 * Returns the text of a value that is the same in every deployment of the template: pseudo parameters except the name
 * of the stack are of the account and Region. Undefined if a generated id or name is part of it.
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

/** Properties that name something, and the resources of policies, which are patterns of names. */
const NAMING =
  /(?:Names?|Family|Namespace|Path|Prefix|Alias|Identifier|Resource|Value|Arn|Group|UserPoolDomain\.Domain|_SCOPE|_NAMESPACE|_NAME)$/;

/** A property with its value, such as `AWS::ApiGateway::RestApi.Name = prod jobs`. */
type Name = string;

/** The fixed names in a part of a template. */
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
  // Of a parameter of Parameter Store, the default is its name.
  const ofParameters = Object.values(Parameters).flatMap(({ Default }) => namesIn(Default, 'ParameterName'));
  return [...ofResources, ...ofOutputs, ...ofParameters];
}

/** Names that both may have, with the reason. */
const common: readonly (readonly [name: RegExp, because: string])[] = [
  [/^AWS::ApplicationAutoScaling::.*\.(?:ServiceNamespace|PolicyName) /, 'of its service'],
  [
    /^AWS::ApplicationAutoScaling::.*\.(?:MetricName|Dimensions\.(?:Name|Value)) /,
    'in the namespace of the deployment',
  ],
  [/^AWS::ApiGateway::(?:Authorizer\.Name|Stage\.(?:StageName|MethodSettings\.ResourcePath)) /, 'of its interface'],
  [/^AWS::CloudFront::Distribution\..*HeaderName /, 'of its requests'],
  [/^AWS::CloudFront::ResponseHeadersPolicy\..*Items\.Value /, 'a value of a header'],
  [/^AWS::CloudWatch::Alarm\.Namespace = AWS\//, 'of AWS, by the load balancer of the deployment'],
  [/^AWS::CloudWatch::Alarm\..*(?:MetricName|Dimensions\.(?:Name|Value)) /, 'in the namespace of the deployment'],
  [/^AWS::Cognito::UserPool(?:Group|Client)?\..*Name /, 'of its user pool'],
  [/^AWS::DynamoDB::Table\..*AttributeName /, 'of its table'],
  [/^AWS::EC2::VPCEndpoint\.ServiceName /, 'a service of AWS'],
  [/^AWS::EC2::LaunchTemplate\..*DeviceName /, 'of its instance'],
  [/^AWS::EC2::Subnet\.Tags\.Value = (?:Public|Private|Workers)$/, 'a kind of subnet'],
  [/^AWS::ECS::Service\.LoadBalancers\.ContainerName /, 'of its task'],
  [/^AWS::ECS::TaskDefinition\.(?:ContainerDefinitions|Volumes|RuntimePlatform)\./, 'of its task'],
  [/^AWS::EFS::AccessPoint\.RootDirectory\.Path /, 'of its file system'],
  [/^AWS::EFS::FileSystem\.FileSystemPolicy\..*(?:= true|= \*)$/, 'its file system'],
  [/^AWS::ElasticLoadBalancingV2::\w+\.(?:\w+Attributes\.Value|HealthCheckPath) /, 'of its load balancer'],
  [/^AWS::Events::Rule\.EventPattern\.detail\.eventName /, 'an event of ECS'],
  [/^AWS::IAM::Policy\.PolicyName /, 'of its role'],
  [/^AWS::IAM::Policy\..*Resource = (?:\*|arn:<AWS::Partition>:ecr:\*:\*:repository\/\*)$/, 'no name of a deployment'],
  [/^AWS::IAM::Policy\..*Resource = .*:repository\/cdk-hnb659fds-container-assets-/, 'the repository of the bootstrap'],
  [/^AWS::KMS::Key\.KeyPolicy\.Statement\.Resource = \*$/, 'its key'],
  [/^AWS::Lambda::Function\..*POWERTOOLS_SERVICE_NAME /, 'in the namespace of the deployment'],
  [/^AWS::S3::Bucket\.LifecycleConfiguration\.Rules\.Prefix /, 'of its bucket'],
  [/^AWS::WAFv2::WebACL\.Rules\.(?:Name|.*Header\w*\.(?:Name|Value)) /, 'of its web ACL'],
  [/Tags\.Value = (?:echo|llm)$/, 'the tag of an endpoint, beside that of the deployment'],
  [/^Custom::.*\.(?:imageName|volumeMountPath) /, 'of the template that a file declares'],
  [/^ParameterName = \/(?:aws\/service\/ecs|cdk-bootstrap)\//, 'a parameter of AWS, or of the bootstrap'],
];

describe('two deployments', () => {
  const [one = [], two = []] = ['one', 'two'].map((deployment) => Object.values(stacksOf(deployment)).flatMap(namesOf));

  it('share no name in an account and Region, with the same endpoints', () => {
    const names = new Set(two);
    const shared = new Set(one.filter((name) => names.has(name)));
    expect([...shared].filter((name) => !common.some(([known]) => known.test(name)))).toEqual([]);
  });

  it('share no name either with different networks and endpoints', () => {
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

  it.each(common)('may both have %s: %s', (known) => {
    expect(one.filter((name) => known.test(name))).not.toEqual([]);
  });

  it('have names whose patterns do not overlap, also if the name of the one begins with that of the other', () => {
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

  it('have stacks, by the ids of the app, whose names begin with the deployment', () => {
    const stacks = Object.entries(stacksOf('one')).map(([id, { name }]) => [id, name]);
    expect(stacks.length).toBeGreaterThan(5);
    for (const [id, name] of stacks) expect(name).toBe(`one-${id}`);
  });
});
