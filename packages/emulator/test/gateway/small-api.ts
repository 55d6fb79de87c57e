/**
 * The template of a REST API with one stage: two paths, an authorizer, keys, a plan, and functions of a few lines.
 */
import { functionResource, type Resources } from '../small-service.ts';

/** The code of the functions. `Authorization` sets the authorizer's result, and `?answer=` the handler's. */
export const code = `
exports.authorize = async (event) => {
  const asked = event.headers.Authorization;
  if (asked === 'unauthorized') throw new Error('Unauthorized');
  if (asked === 'broken') throw new Error('no table');
  if (asked === 'nonsense') return { isAuthorized: true };
  const [Effect, usageIdentifierKey] = asked.split(' ');
  const Resource = Effect === 'Elsewhere' ? event.methodArn + '/x' : event.methodArn.replace(/[^/]*$/, '*');
  const statements = [{ Action: 'execute-api:*', Effect: Effect === 'Deny' ? 'Deny' : 'Allow', Resource }];
  if (Effect === 'Both') statements.push({ Action: ['execute-api:Invoke'], Effect: 'Deny', Resource: [event.methodArn] });
  return {
    principalId: 'ann',
    usageIdentifierKey,
    context: { error: 'not you', count: 7, event: JSON.stringify(event) },
    policyDocument: { Statement: statements },
  };
};
exports.handler = async (event) => {
  const { answer, size, wait } = event.queryStringParameters ?? {};
  if (answer === 'throw') throw new Error('broken');
  if (wait) await new Promise((resolve) => setTimeout(resolve, Number(wait)));
  if (size) return { statusCode: 200, body: 'x'.repeat(Number(size)) };
  if (answer) return JSON.parse(answer);
  return { statusCode: 200, body: JSON.stringify(event) };
};`;

export const FIRST_KEY = 'first-key-of-twenty-characters';
export const SECOND_KEY = 'second-key-of-twenty-characters';

export const uri = (logicalId: string) => ({
  'Fn::Sub': `arn:aws:apigateway:\${AWS::Region}:lambda:path/2015-03-31/functions/\${${logicalId}.Arn}/invocations`,
});

/** Returns the integration of a method whose response is streamed. */
export const streamed = (logicalId: string, rest: Record<string, unknown> = {}) => ({
  Type: 'AWS_PROXY',
  IntegrationHttpMethod: 'POST',
  ResponseTransferMode: 'STREAM',
  Uri: {
    'Fn::Sub': `arn:aws:apigateway:\${AWS::Region}:lambda:path/2021-11-15/functions/\${${logicalId}.Arn}/response-streaming-invocations`,
  },
  ...rest,
});

const apiResource = (ParentId: unknown, PathPart: string) => ({
  Type: 'AWS::ApiGateway::Resource',
  Properties: { RestApiId: { Ref: 'Api' }, ParentId, PathPart },
});

const method = (ResourceId: string, HttpMethod: string, rest: Record<string, unknown> = {}) => ({
  Type: 'AWS::ApiGateway::Method',
  Properties: {
    RestApiId: { Ref: 'Api' },
    ResourceId: { Ref: ResourceId },
    HttpMethod,
    ApiKeyRequired: true,
    AuthorizationType: 'CUSTOM',
    AuthorizerId: { Ref: 'Authorizer' },
    Integration: { Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST', Uri: uri('Handler') },
    ...rest,
  },
});

export const gatewayResponse = (ResponseType: string, rest: Record<string, unknown>) => ({
  Type: 'AWS::ApiGateway::GatewayResponse',
  Properties: { RestApiId: { Ref: 'Api' }, ResponseType, ...rest },
});

const key = (Value: string, Enabled = true) => ({ Type: 'AWS::ApiGateway::ApiKey', Properties: { Value, Enabled } });

/** Returns the resources of the API. Each test gets its own copy, which it can change. */
export const resources = (): Resources => ({
  Authorize: functionResource('authorize'),
  Handler: functionResource('handler', { Environment: { Variables: { GREETING: 'hello' } } }),
  Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'small', ApiKeySourceType: 'AUTHORIZER' } },
  Authorizer: {
    Type: 'AWS::ApiGateway::Authorizer',
    Properties: {
      RestApiId: { Ref: 'Api' },
      Name: 'a',
      Type: 'REQUEST',
      AuthorizerUri: uri('Authorize'),
      IdentitySource: 'method.request.header.Authorization',
      AuthorizerResultTtlInSeconds: 0,
    },
  },
  Endpoint: apiResource({ 'Fn::GetAtt': ['Api', 'RootResourceId'] }, '{endpoint}'),
  Run: apiResource({ Ref: 'Endpoint' }, 'run'),
  RunPost: method('Run', 'POST'),
  RunGet: method('Run', 'GET'),
  Open: apiResource({ Ref: 'Endpoint' }, 'open'),
  OpenAny: method('Open', 'ANY', { ApiKeyRequired: false, AuthorizationType: 'NONE', AuthorizerId: undefined }),
  Stage: {
    Type: 'AWS::ApiGateway::Stage',
    Properties: { RestApiId: { Ref: 'Api' }, StageName: 'v2', DeploymentId: 'd' },
  },
  FirstKey: key(FIRST_KEY),
  SecondKey: key(SECOND_KEY),
  DisabledKey: key('disabled-key-of-twenty-characters', false),
  StrangeKey: key('strange-key-of-twenty-characters'),
  Plan: {
    Type: 'AWS::ApiGateway::UsagePlan',
    Properties: {
      ApiStages: [
        {
          ApiId: { Ref: 'Api' },
          Stage: { Ref: 'Stage' },
          Throttle: { '/{endpoint}/run/POST': { RateLimit: 0.001, BurstLimit: 2 } },
        },
      ],
    },
  },
});

/** Sets properties of a resource. */
export function set(all: Resources, name: string, properties: Record<string, unknown>): void {
  Object.assign((all[name] as Resources[string]).Properties, properties);
}
