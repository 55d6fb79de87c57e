import { describe, expect, it } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { sharedBuckets, throttleKey } from '../../../core/rates/throttle.ts';
import { jobRoutes, managementRoutes, openapiRoute, type Route } from '../../../core/routes.ts';
import { stackOf, synthesize } from '../synthesis.ts';

const { template } = stackOf(synthesize(), 'Platform');
const { Outputs } = template.toJSON();

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
      'JobsTable',
      'SecretsKey',
      'SigningTable',
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

  it('call the authorizer and count requests for every method of every route except `/openapi.json`', () => {
    const methods = Object.values(template.findResources('AWS::ApiGateway::Method')).map(
      ({ Properties }) => Properties,
    );
    const [open, asking] = [true, false].map((isOpen) =>
      methods.filter(({ AuthorizationType }) => (AuthorizationType === 'NONE') === isOpen),
    );
    // Each route has its methods, and each path with `GET` has `HEAD`.
    expect(asking).toHaveLength(36 + 17);
    for (const properties of asking ?? [])
      expect(properties).toMatchObject({ AuthorizationType: 'CUSTOM', ApiKeyRequired: true });
    const resources = template.findResources('AWS::ApiGateway::Resource');
    const paths = open?.map((each) => `${each.HttpMethod} ${resources[each.ResourceId.Ref]?.Properties.PathPart}`);
    const described = ['GET openapi.json', 'HEAD openapi.json'];
    const isCatchAll = (path: string) => path.startsWith('ANY ');
    expect(paths?.filter((path) => !isCatchAll(path))).toEqual([...described, ...described]);
  });

  it('limit the rate of requests for `/openapi.json`, for all callers in total', () => {
    expect(openapiRoute.limit).toEqual({ per10Seconds: 100 });
    const limit = { ThrottlingRateLimit: 10, ThrottlingBurstLimit: 100 };
    template.allResourcesProperties('AWS::ApiGateway::Stage', {
      MethodSettings: Match.arrayWith(
        ['GET', 'HEAD'].map((HttpMethod) =>
          Match.objectLike({ HttpMethod, ResourcePath: '/~1openapi.json', ...limit }),
        ),
      ),
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
    const routes: Route[] = [...Object.values(jobRoutes), ...Object.values(managementRoutes)];
    const streamed = routes.filter((route) => route.streamed).flatMap(({ methods }) => methods);
    const integrations = Object.values(template.findResources('AWS::ApiGateway::Method'))
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
    template.resourceCountIs('AWS::ApiGateway::Account', 0);
    template.allResourcesProperties('AWS::ApiGateway::Stage', { AccessLogSetting: Match.absent() });
  });
});

interface Throttle {
  readonly RateLimit: number;
  readonly BurstLimit: number;
}

/** Returns the throttles of all methods in the usage plan whose logical id begins with `id`. */
function throttlesOf(id: string): Readonly<Record<string, Throttle>> {
  const plans = Object.entries(template.findResources('AWS::ApiGateway::UsagePlan'));
  const stages = plans.filter(([name]) => name.startsWith(id)).flatMap(([, { Properties }]) => Properties.ApiStages);
  return Object.assign({}, ...stages.map(({ Throttle }) => Throttle));
}

describe('the usage plan of the console', () => {
  const throttles = throttlesOf('ConsolePlan');

  it('has the same methods as the plan of clients', () => {
    expect(Object.keys(throttles)).toEqual(Object.keys(throttlesOf('UsagePlan')));
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

  it('has a separate bucket, which requests from clients do not use', () => {
    const keys = Object.entries(template.findResources('AWS::ApiGateway::ApiKey'));
    const [id] =
      keys.find(([, { Properties }]) => Properties.Value === throttleKey('gpu-endpoints-Platform', '*console')) ?? [];
    const members = Object.values(template.findResources('AWS::ApiGateway::UsagePlanKey')).map(
      ({ Properties }) => [Properties.KeyId['Fn::GetAtt'][0], Properties.UsagePlanId.Ref] as const,
    );
    const inPlan = members.filter(([, plan]) => String(plan).startsWith('ConsolePlan'));
    expect(inPlan.map(([key]) => key)).toEqual([id]);
    expect(members.filter(([key]) => key === id)).toHaveLength(1);
  });
});

describe('the usage plan', () => {
  const throttles = throttlesOf('UsagePlan');

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

  it('is one of two plans, with a throttle for every method', () => {
    template.resourceCountIs('AWS::ApiGateway::UsagePlan', 2);
    expect(Object.keys(throttles)).toHaveLength(36 + 17);
  });

  it.each(Object.values(sharedBuckets))('has the bucket %s, with the scope that the authorizer uses', (bucket) => {
    template.hasResourceProperties('AWS::ApiGateway::ApiKey', { Value: throttleKey('gpu-endpoints-Platform', bucket) });
    template.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike({ THROTTLE_SCOPE: 'gpu-endpoints-Platform' }) },
    });
  });
});
