/** The supported properties of REST APIs, and the definitions collected from the templates. */
import * as z from 'zod/mini';
import { ignored } from '../cloudformation/resource.ts';
import { createPlanKeys, type PlanKeys } from './plan-keys.ts';

const number = z.coerce.number();

export const restApi = z.strictObject({
  Name: z.string(),
  Description: ignored,
  ApiKeySourceType: z._default(z.literal(['HEADER', 'AUTHORIZER']), 'HEADER'),
  // On one machine, every endpoint is regional.
  EndpointConfiguration: ignored,
  // The address on this machine uses HTTP.
  SecurityPolicy: ignored,
  /** Media types, without parameters, whose bodies are not converted to text. */
  BinaryMediaTypes: z._default(z.array(z.string().check(z.regex(/^[\w.-]+\/[\w.+-]+$/))), []),
  EndpointAccessMode: ignored,
  Tags: ignored,
});

export const resource = z.strictObject({ RestApiId: z.string(), ParentId: z.string(), PathPart: z.string() });

const proxyIntegration = z.strictObject({
  Type: z.literal('AWS_PROXY'),
  IntegrationHttpMethod: z.literal('POST'),
  Uri: z.string(),
  ResponseTransferMode: z._default(z.literal(['BUFFERED', 'STREAM']), 'BUFFERED'),
  TimeoutInMillis: z._default(number, 29_000),
});

/** Forwards the request to a load balancer through a VPC link. */
export const privateIntegration = z.strictObject({
  Type: z.literal('HTTP_PROXY'),
  ConnectionType: z.literal('VPC_LINK'),
  ConnectionId: z.string(),
  IntegrationTarget: z.string(),
  IntegrationHttpMethod: z.string(),
  Uri: z.string(),
  // A buffered response is limited to 10 MB, and no stack buffers a response from a load balancer.
  ResponseTransferMode: z.literal('STREAM'),
  TimeoutInMillis: z._default(number, 29_000),
  RequestParameters: z._default(z.record(z.string(), z.string()), {}),
  PassthroughBehavior: ignored,
});

/**
 * A mock integration: the request template contains only a status, and the response template can use `$context`.
 */
export const mockIntegration = z.strictObject({
  Type: z.literal('MOCK'),
  RequestTemplates: z.record(z.string(), z.string()),
  PassthroughBehavior: z._default(z.literal(['WHEN_NO_MATCH', 'NEVER']), 'WHEN_NO_MATCH'),
  // API Gateway applies a template to text bodies only.
  ContentHandling: z.optional(z.literal('CONVERT_TO_TEXT')),
  IntegrationResponses: z.tuple([
    z.strictObject({
      StatusCode: number,
      ResponseParameters: z._default(z.record(z.string(), z.string()), {}),
      ResponseTemplates: z._default(z.strictObject({ 'application/json': z.optional(z.string()) }), {}),
    }),
  ]),
});

export const method = z.strictObject({
  RestApiId: z.string(),
  ResourceId: z.string(),
  HttpMethod: z.string(),
  ApiKeyRequired: z._default(z.boolean(), false),
  AuthorizationType: z.literal(['NONE', 'CUSTOM']),
  AuthorizerId: z.optional(z.string()),
  /** Parameters that an integration can map from. */
  RequestParameters: z._default(z.record(z.string(), z.boolean()), {}),
  Integration: z.discriminatedUnion('Type', [proxyIntegration, privateIntegration, mockIntegration]),
  MethodResponses: z._default(
    z.array(
      z.strictObject({
        StatusCode: number,
        ResponseParameters: z._default(z.record(z.string(), z.boolean()), {}),
      }),
    ),
    [],
  ),
});

export const authorizer = z.strictObject({
  RestApiId: z.string(),
  Name: ignored,
  Type: z.literal('REQUEST'),
  AuthorizerUri: z.string(),
  IdentitySource: z.optional(z.string()),
  AuthorizerResultTtlInSeconds: z._default(number.check(z.gte(0), z.lte(3600)), 300),
});

export const gatewayResponse = z.strictObject({
  RestApiId: z.string(),
  ResponseType: z.string(),
  StatusCode: z.optional(number),
  ResponseTemplates: z._default(z.strictObject({ 'application/json': z.optional(z.string()) }), {}),
  ResponseParameters: z._default(z.record(z.string(), z.string()), {}),
});

const throttle = z.strictObject({ RateLimit: number, BurstLimit: number });

export const stage = z.strictObject({
  RestApiId: z.string(),
  StageName: z.string(),
  DeploymentId: z.string(),
  MethodSettings: z._default(
    z.array(
      z.strictObject({
        HttpMethod: z.string(),
        ResourcePath: z.string(),
        ThrottlingRateLimit: z.optional(number),
        ThrottlingBurstLimit: z.optional(number),
        LoggingLevel: ignored,
        MetricsEnabled: ignored,
        DataTraceEnabled: ignored,
      }),
    ),
    [],
  ),
  AccessLogSetting: ignored,
  TracingEnabled: ignored,
  Description: ignored,
  Tags: ignored,
});

export const usagePlan = z.strictObject({
  UsagePlanName: ignored,
  Description: ignored,
  ApiStages: z._default(
    z.array(
      z.strictObject({
        ApiId: z.string(),
        Stage: z.string(),
        Throttle: z._default(z.record(z.string(), throttle), {}),
      }),
    ),
    [],
  ),
  Throttle: z.optional(throttle),
  Tags: ignored,
});

export const apiKey = z.strictObject({
  Name: ignored,
  Description: ignored,
  // An API key must be enabled explicitly: CloudFormation's default is a disabled key.
  Enabled: z._default(z.boolean(), false),
  Value: z.string(),
  Tags: ignored,
});

export const vpcLink = z.strictObject({
  Name: z.string(),
  // All components share the loopback interface.
  SubnetIds: ignored,
  SecurityGroupIds: ignored,
  Tags: ignored,
});

export interface Definition<Schema extends z.ZodMiniType> {
  readonly id: string;
  /** Description of the resource in a sentence. */
  readonly where: string;
  readonly properties: z.output<Schema>;
}

export interface ApiDefinitions {
  readonly restApis: Definition<typeof restApi>[];
  readonly resources: Definition<typeof resource>[];
  readonly methods: Definition<typeof method>[];
  readonly authorizers: Definition<typeof authorizer>[];
  readonly gatewayResponses: Definition<typeof gatewayResponse>[];
  readonly stages: Definition<typeof stage>[];
  readonly usagePlans: Definition<typeof usagePlan>[];
  readonly apiKeys: Definition<typeof apiKey>[];
  readonly planKeys: PlanKeys;
  readonly vpcLinks: Definition<typeof vpcLink>[];
}

/**
 * @param planKeys the keys that the stacks add to usage plans; by default, none at the start, and not stored
 */
export const noApis = (planKeys = createPlanKeys()): ApiDefinitions => ({
  restApis: [],
  resources: [],
  methods: [],
  authorizers: [],
  gatewayResponses: [],
  stages: [],
  usagePlans: [],
  apiKeys: [],
  planKeys,
  vpcLinks: [],
});

/** Returns the id of an API's root resource, which is not a separate resource in the template. */
export const rootResourceId = (restApiId: string): string => `${restApiId}-root`;
