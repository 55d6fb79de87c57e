import { describe, expect, it } from '@jest/globals';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { jobRoutes, linkRoute, managementRoutes, openapiRoute, type Route } from '../../../core/operations/routes.ts';
import { sharedBuckets, throttleKey } from '../../../core/rates/throttle.ts';
import { declare, interfacesOf, resourcesIn, stackOf, synthesize } from '../synthesis.ts';

const stacks = synthesize(declare('echo'));
const interfaces = interfacesOf(stacks);
const [template, management] = interfaces;
const { Outputs } = template.toJSON();
const routes: Route[] = [...Object.values(jobRoutes), ...Object.values(managementRoutes)];
/** Each route has its methods, and each path with `GET` has `HEAD`. */
const methodCount =
  routes.flatMap(({ methods }) => methods).length + routes.filter(({ methods }) => methods.includes('GET')).length;

describe('the interfaces', () => {
  it.each([
    ['JobApiUrl', /"https:\/\/",\{"Fn::GetAtt":\["Distribution\w+","DomainName"\]\},"\/v2"/],
    ['ManagementApiUrl', /"https:\/\/",\{"Fn::GetAtt":\["Distribution\w+","DomainName"\]\},"\/v1"/],
    ['JobGatewayUrl', /\.execute-api\..*"\/v2"/],
    ['ManagementGatewayUrl', /\.execute-api\..*"\/v1"/],
  ])('have the base address %s, which does not end with a slash', (output, address) => {
    expect(JSON.stringify(Outputs[output].Value)).toMatch(address);
  });

  it('have outputs with addresses and the names that commands need, and no secrets', () => {
    const shown = Object.keys(Outputs).filter((name) => Outputs[name].Export === undefined);
    const ofWebhooks = [
      'DeadlinesTable',
      'DeliveriesTable',
      'DeliveryMachine',
      'Deployment',
      'HistoryDays',
      'HistoryTable',
      'JobsTable',
      'SecretsKey',
      'SigningTable',
      'TemplatesTable',
    ];
    const addresses = [
      'JobApiUrl',
      'ManagementApiUrl',
      'JobGatewayUrl',
      'ManagementGatewayUrl',
      'DistributionDomain',
      'ConsoleUrl',
    ];
    expect(new Set(shown)).toEqual(
      new Set([...addresses, 'KeysTable', 'EndpointsTable', 'UserPool', 'ConsoleClient', ...ofWebhooks]),
    );
  });

  it('are Regional, and use the hidden key that the authorizer returns', () => {
    template.allResourcesProperties('AWS::ApiGateway::RestApi', {
      ApiKeySourceType: 'AUTHORIZER',
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
  });

  it('call the authorizer and count requests for every method of every route except `/openapi.json` and `/ingress.health`', () => {
    const methods = resourcesIn(interfaces, 'AWS::ApiGateway::Method').map(({ Properties }) => Properties);
    const [open, asking] = [true, false].map((isOpen) =>
      methods.filter(({ AuthorizationType }) => (AuthorizationType === 'NONE') === isOpen),
    );
    expect(methodCount).toBeGreaterThan(50);
    expect(asking).toHaveLength(methodCount);
    for (const properties of asking ?? [])
      expect(properties).toMatchObject({ AuthorizationType: 'CUSTOM', ApiKeyRequired: true });
    const [ofJobs, ofManagement] = interfaces.map((each) => each.findResources('AWS::ApiGateway::Resource'));
    // The ids of both templates differ.
    const resources = { ...ofJobs, ...ofManagement };
    const paths = open?.map((each) => `${each.HttpMethod} ${resources[each.ResourceId.Ref]?.Properties.PathPart}`);
    const described = ['GET openapi.json', 'HEAD openapi.json'];
    const isCatchAll = (path: string) => path.startsWith('ANY ');
    expect(paths?.filter((path) => !isCatchAll(path))).toEqual([
      ...described,
      'HEAD ingress.health',
      'GET ingress.health',
      ...described,
    ]);
  });

  it('limit the rate of requests for `/openapi.json`, for all callers in total', () => {
    expect(openapiRoute.limit).toEqual({ per10Seconds: 100 });
    const limit = { ThrottlingRateLimit: 10, ThrottlingBurstLimit: 100 };
    const MethodSettings = Match.arrayWith(
      ['GET', 'HEAD'].map((HttpMethod) => Match.objectLike({ HttpMethod, ResourcePath: '/~1openapi.json', ...limit })),
    );
    for (const each of interfaces) each.allResourcesProperties('AWS::ApiGateway::Stage', { MethodSettings });
  });

  it('limit the rate of requests for `/ingress.health`, which need no key, to one a second', () => {
    const limit = { ThrottlingRateLimit: 1, ThrottlingBurstLimit: 10 };
    template.hasResourceProperties('AWS::ApiGateway::Stage', {
      MethodSettings: Match.arrayWith([
        Match.objectLike({ HttpMethod: 'GET', ResourcePath: '/~1ingress.health', ...limit }),
      ]),
    });
  });

  it('accept forms and octet streams as bytes at the job interface, and all other bodies as text', () => {
    const apis = Object.values(template.findResources('AWS::ApiGateway::RestApi')).map(({ Properties }) => Properties);
    expect(apis.map(({ BinaryMediaTypes }) => BinaryMediaTypes)).toEqual([
      ['multipart/form-data', 'application/octet-stream'],
      undefined,
    ]);
  });

  it('stream only the responses of routes that are declared as streamed', () => {
    const streamed = [...routes, linkRoute as Route]
      .filter((route) => route.streamed)
      .flatMap(({ methods }) => methods);
    const integrations = resourcesIn(interfaces, 'AWS::ApiGateway::Method')
      .map(({ Properties }) => Properties.Integration)
      // `HEAD` has no function to stream from.
      .filter(({ Type }) => Type !== 'MOCK');
    const streaming = integrations.filter(({ ResponseTransferMode }) => ResponseTransferMode === 'STREAM');
    expect(streaming).toHaveLength(streamed.length);
    expect(streaming.length).toBeGreaterThan(0);
    for (const { Type, Uri, TimeoutInMillis } of streaming) {
      if (Type === 'AWS_PROXY')
        expect(JSON.stringify(Uri)).toMatch(/lambda:path\/2021-11-15\/functions\/.*\/response-streaming-invocations"/);
      expect(TimeoutInMillis).toBe(900_000);
    }
    for (const { Uri } of integrations.filter((integration) => !streaming.includes(integration)))
      expect(JSON.stringify(Uri)).toMatch(/lambda:path\/2015-03-31\/functions\/.*\/invocations"/);
  });

  it('cache each response of the authorizer for one key, method and path', () => {
    template.allResourcesProperties('AWS::ApiGateway::Authorizer', {
      Type: 'REQUEST',
      AuthorizerResultTtlInSeconds: 30,
      IdentitySource: 'method.request.header.Authorization,context.httpMethod,context.path',
    });
  });

  it('can be deployed to a new account, because they need no logging role of the account', () => {
    for (const each of interfaces) {
      each.resourceCountIs('AWS::ApiGateway::Account', 0);
      each.allResourcesProperties('AWS::ApiGateway::Stage', { AccessLogSetting: Match.absent() });
    }
  });
});

interface Throttle {
  readonly RateLimit: number;
  readonly BurstLimit: number;
}

/** Construct ids of the usage plans of an interface. */
type Plan = 'Endpoints' | 'Console';

const idOf = (plan: Plan, its: Template) =>
  Object.keys(its.findResources('AWS::ApiGateway::UsagePlan')).find((id) => id.startsWith(`UsagePlans${plan}`));

/** Returns the throttles of all methods in the usage plans of both interfaces. */
function throttlesOf(plan: Plan): Readonly<Record<string, Throttle>> {
  const stages = interfaces.flatMap(
    (its) => its.findResources('AWS::ApiGateway::UsagePlan')[idOf(plan, its) ?? '']?.Properties.ApiStages ?? [],
  );
  return Object.assign({}, ...stages.map(({ Throttle }) => Throttle));
}

interface DeclaredPlanKey {
  readonly keyId: { readonly Ref?: string; readonly 'Fn::GetAtt'?: readonly string[] };
  readonly usagePlanId: { readonly Ref: string };
}

const planKeysIn = (its: Template): DeclaredPlanKey[] =>
  Object.values(its.findResources('Custom::UsagePlanKeys')).flatMap(({ Properties }) => Properties.keys);

/** Returns the members of a usage plan: the values of its keys, or the parameters with the ids of its keys. */
function membersOf(plan: Plan, its: Template): string[] {
  const keys = its.findResources('AWS::ApiGateway::ApiKey');
  return planKeysIn(its)
    .filter(({ usagePlanId }) => usagePlanId.Ref === idOf(plan, its))
    .map(({ keyId }) => keys[keyId['Fn::GetAtt']?.[0] ?? '']?.Properties.Value ?? keyId.Ref);
}

const keyOf = (bucket: string) => throttleKey('gpu-endpoints-Platform', bucket);

describe('the usage plans of the console', () => {
  const throttles = throttlesOf('Console');

  it('have the same methods as the plans of clients', () => {
    expect(Object.keys(throttles)).toEqual(Object.keys(throttlesOf('Endpoints')));
  });

  it.each([
    ['/{endpoint}/requests/GET', 100],
    ['/{endpoint}/requests/HEAD', 100],
    ['/{endpoint}/webhooks/GET', 100],
    ['/{endpoint}/status/{job}/GET', 2000],
    ['/{endpoint}/cancel/{job}/POST', 100],
    ['/{endpoint}/purge-queue/POST', 2],
  ])('allows %s %d times per 10 seconds for all pages in total', (method, per10Seconds) => {
    expect(throttles[method]).toEqual({ RateLimit: per10Seconds / 10, BurstLimit: per10Seconds });
  });

  it('have a separate bucket, which requests from clients do not use', () => {
    expect(membersOf('Console', template)).toEqual([keyOf('*console')]);
    expect(membersOf('Console', management)).toEqual(['PlatformConsoleKeyId']);
    for (const its of interfaces) expect(String(membersOf('Endpoints', its))).not.toMatch(/console/i);
    expect(membersOf('Endpoints', template)).not.toContain(keyOf('*console'));
  });
});

describe('the usage plans of clients', () => {
  const throttles = throttlesOf('Endpoints');

  // Rates per 10 seconds: those of the contract, and those of the operations that this service adds.
  it.each([
    ['/{endpoint}/run/POST', 1000],
    ['/{endpoint}/status/{job}/GET', 2000],
    ['/{endpoint}/status/{job}/POST', 2000],
    ['/{endpoint}/runsync/POST', 2000],
    ['/{endpoint}/status-sync/{job}/GET', 2000],
    ['/{endpoint}/status-sync/{job}/POST', 2000],
    ['/{endpoint}/stream/{job}/GET', 2000],
    ['/{endpoint}/stream/{job}/POST', 2000],
    ['/{endpoint}/openai/{path+}/GET', 2000],
    ['/{endpoint}/openai/{path+}/POST', 2000],
    ['/{endpoint}/cancel/{job}/POST', 100],
    ['/{endpoint}/retry/{job}/POST', 100],
    ['/{endpoint}/purge-queue/POST', 2],
    ['/{endpoint}/requests/GET', 10],
    ['/{endpoint}/input/{job}/GET', 100],
    ['/{endpoint}/health/GET', 2000],
    ['/endpoints/GET', 100],
    ['/endpoints/{endpoint}/releases/GET', 100],
    ['/endpoints/{endpoint}/workers/GET', 100],
    ['/endpoints/{endpoint}/resume/POST', 10],
    ['/jobs/{job}/GET', 100],
    ['/keys/GET', 100],
    ['/keys/POST', 100],
    ['/keys/{key}/DELETE', 100],
    ['/session/GET', 100],
    ['/templates/GET', 500],
    ['/templates/POST', 500],
    ['/templates/{template}/GET', 500],
    ['/templates/{template}/DELETE', 500],
    ['/templates/{template}/update/POST', 500],
  ])('allows %s %d times per 10 seconds, in bursts or evenly spaced', (method, per10Seconds) => {
    expect(throttles[method]).toEqual({ RateLimit: per10Seconds / 10, BurstLimit: per10Seconds });
  });

  it('have a throttle for every method of their interface', () => {
    for (const its of interfaces) its.resourceCountIs('AWS::ApiGateway::UsagePlan', 2);
    expect(Object.keys(throttles)).toHaveLength(methodCount);
  });

  it('have the shared buckets, with the scope that the authorizer uses', () => {
    expect(membersOf('Endpoints', template)).toEqual([keyOf(sharedBuckets.unknownEndpoint)]);
    expect(membersOf('Endpoints', management)).toEqual([
      keyOf(sharedBuckets.management),
      'PlatformUnknownEndpointKeyId',
    ]);
    template.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike({ THROTTLE_SCOPE: 'gpu-endpoints-Platform' }) },
    });
  });

  it('get the key of each endpoint', () => {
    const members = planKeysIn(stackOf(stacks, 'Endpoint-echo').template);
    expect(members.map(({ usagePlanId }) => usagePlanId.Ref)).toEqual(['PlatformUsagePlanId', 'ManagementUsagePlanId']);
  });

  it('get no key from CloudFormation, which fails if another stack adds one at the same time', () => {
    for (const { template: its } of Object.values(stacks)) its.resourceCountIs('AWS::ApiGateway::UsagePlanKey', 0);
  });
});
