/** Properties of CloudFront's resources that work here, and the definitions collected from all stacks. */
import * as z from 'zod/mini';
import { ignored } from '../cloudformation/resource.ts';

const number = z.coerce.number();
const seconds = z.coerce.number();

/** Ids of the managed policies that work here: no caching, and the viewer's request without `Host` for the origin. */
export const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
export const ALL_VIEWER_EXCEPT_HOST_HEADER = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';

const behaviour = {
  TargetOriginId: z.string(),
  AllowedMethods: z._default(z.array(z.string()), ['GET', 'HEAD']),
  CachePolicyId: z.literal(CACHING_DISABLED),
  ResponseHeadersPolicyId: z.optional(z.string()),
  // Without a policy, the origin gets neither the query string nor most headers.
  OriginRequestPolicyId: z.optional(z.literal(ALL_VIEWER_EXCEPT_HOST_HEADER)),
  FunctionAssociations: z._default(
    z.array(z.strictObject({ EventType: z.literal('viewer-request'), FunctionARN: z.string() })).check(z.maxLength(1)),
    [],
  ),
  // The local distribution is reached over HTTP: the loopback interface needs no encryption.
  ViewerProtocolPolicy: ignored,
  // Both settings apply to responses that can be cached, and no response is cached.
  CachedMethods: ignored,
  Compress: ignored,
  SmoothStreaming: z.optional(z.literal(false)),
};

const customHeaders = z._default(z.array(z.strictObject({ HeaderName: z.string(), HeaderValue: z.string() })), []);

const origin = z.strictObject({
  Id: z.string(),
  DomainName: z.string(),
  OriginPath: z._default(z.string(), ''),
  OriginCustomHeaders: customHeaders,
  // Origins are on this machine: a connection succeeds or fails immediately, and needs no encryption.
  ConnectionAttempts: ignored,
  ConnectionTimeout: ignored,
  CustomOriginConfig: z.optional(
    z.strictObject({
      OriginProtocolPolicy: ignored,
      OriginSSLProtocols: ignored,
      HTTPPort: ignored,
      HTTPSPort: ignored,
      OriginKeepaliveTimeout: ignored,
      IpAddressType: ignored,
      OriginReadTimeout: z._default(seconds, 30),
    }),
  ),
  // A bucket that only the distribution can read.
  S3OriginConfig: z.optional(z.strictObject({ OriginAccessIdentity: z.literal('') })),
  OriginAccessControlId: z.optional(z.string()),
  VpcOriginConfig: z.optional(
    z.strictObject({
      VpcOriginId: z.string(),
      OriginKeepaliveTimeout: ignored,
      OriginReadTimeout: z._default(seconds, 30),
    }),
  ),
});

// Custom error pages are not supported here.
const errorResponses = z._default(
  z.array(z.strictObject({ ErrorCode: number, ErrorCachingMinTTL: z._default(number, 10) })),
  [],
);

export const distribution = z.strictObject({
  DistributionConfig: z.strictObject({
    Enabled: z.literal(true),
    Aliases: z._default(z.array(z.string()), []),
    Origins: z.array(origin),
    DefaultCacheBehavior: z.strictObject(behaviour),
    CacheBehaviors: z._default(z.array(z.strictObject({ PathPattern: z.string(), ...behaviour })), []),
    CustomErrorResponses: errorResponses,
    Comment: ignored,
    // The local distribution has one address on one machine, and uses HTTP/1.1.
    HttpVersion: ignored,
    IPV6Enabled: ignored,
    PriceClass: ignored,
    ViewerCertificate: ignored,
    // Only programs on this machine can call.
    WebACLId: ignored,
    // Access logs are for operating a deployment in AWS.
    Logging: ignored,
  }),
  Tags: ignored,
});

export const edgeFunction = z.strictObject({
  Name: z.string(),
  FunctionCode: z.string(),
  FunctionConfig: z.strictObject({ Comment: ignored, Runtime: z.literal('cloudfront-js-2.0') }),
  // CloudFront does not run an unpublished function.
  AutoPublish: z.literal(true),
  FunctionMetadata: ignored,
  Tags: ignored,
});

export const originAccessControl = z.strictObject({
  OriginAccessControlConfig: z.strictObject({
    Name: z.string(),
    Description: ignored,
    // The distribution signs its requests to the bucket with its own identity.
    OriginAccessControlOriginType: z.literal('s3'),
    SigningBehavior: z.literal('always'),
    SigningProtocol: z.literal('sigv4'),
  }),
});

const override = z.literal(true);

/** A response headers policy. It must replace a header of the same name from the origin. */
export const responseHeadersPolicy = z.strictObject({
  ResponseHeadersPolicyConfig: z.strictObject({
    Name: z.string(),
    Comment: ignored,
    SecurityHeadersConfig: z.optional(
      z.strictObject({
        ContentSecurityPolicy: z.optional(z.strictObject({ ContentSecurityPolicy: z.string(), Override: override })),
        ContentTypeOptions: z.optional(z.strictObject({ Override: override })),
        FrameOptions: z.optional(
          z.strictObject({ FrameOption: z.literal(['DENY', 'SAMEORIGIN']), Override: override }),
        ),
        ReferrerPolicy: z.optional(z.strictObject({ ReferrerPolicy: z.string(), Override: override })),
        StrictTransportSecurity: z.optional(
          z.strictObject({
            AccessControlMaxAgeSec: number,
            IncludeSubdomains: z._default(z.boolean(), false),
            Preload: z._default(z.boolean(), false),
            Override: override,
          }),
        ),
      }),
    ),
    CustomHeadersConfig: z.optional(
      z.strictObject({
        Items: z.array(z.strictObject({ Header: z.string(), Value: z.string(), Override: override })),
      }),
    ),
  }),
});

export const vpcOrigin = z.strictObject({
  VpcOriginEndpointConfig: z.strictObject({
    Name: ignored,
    Arn: z.string(),
    HTTPPort: z._default(number, 80),
    HTTPSPort: ignored,
    OriginProtocolPolicy: z.literal('http-only'),
    OriginSSLProtocols: ignored,
  }),
  Tags: ignored,
});

export type OriginProperties = z.output<typeof origin>;
export type ErrorResponseProperties = z.output<typeof errorResponses>[number];
export type BehaviourProperties = z.output<typeof distribution>['DistributionConfig']['DefaultCacheBehavior'];

interface Definition<Schema extends z.ZodMiniType> {
  readonly id: string;
  /** Description of the resource in a sentence. */
  readonly where: string;
  readonly properties: z.output<Schema>;
}

export type DistributionDefinition = Definition<typeof distribution> & { readonly domainName: string };
export type FunctionDefinition = Definition<typeof edgeFunction> & { readonly arn: string; readonly log: string };
export type VpcOriginDefinition = Definition<typeof vpcOrigin>;
export type AccessControlDefinition = Definition<typeof originAccessControl>;
export type HeadersPolicyDefinition = Definition<typeof responseHeadersPolicy>;

export interface DistributionDefinitions {
  readonly distributions: DistributionDefinition[];
  readonly functions: FunctionDefinition[];
  readonly vpcOrigins: VpcOriginDefinition[];
  readonly accessControls: AccessControlDefinition[];
  readonly headersPolicies: HeadersPolicyDefinition[];
}

export const noDistributions = (): DistributionDefinitions => ({
  distributions: [],
  functions: [],
  vpcOrigins: [],
  accessControls: [],
  headersPolicies: [],
});
