/** A template of the small API behind a distribution, and a client that sends paths unchanged. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { ALL_VIEWER_EXCEPT_HOST_HEADER, CACHING_DISABLED } from '../../distribution/definitions.ts';
import { resources } from '../gateway/small-api.ts';
import type { Resources } from '../small-service.ts';

export const ALL_METHODS = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'];

type Json = Record<string, unknown>;

/** Path of an operation that needs no key. */
export const OPEN = '/v2/echo/open';

export const apiDomain = {
  'Fn::Join': ['', [{ Ref: 'Api' }, '.execute-api.', { Ref: 'AWS::Region' }, '.amazonaws.com']],
};

export const jobs = (rest: Json = {}): Json => ({
  Id: 'jobs',
  DomainName: apiDomain,
  CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginReadTimeout: 30 },
  ...rest,
});

export const direct = (rest: Json = {}): Json => ({
  Id: 'direct',
  DomainName: 'internal-balancer.us-east-1.elb.amazonaws.com',
  VpcOriginConfig: { VpcOriginId: { 'Fn::GetAtt': ['VpcOrigin', 'Id'] }, OriginReadTimeout: 60 },
  ...rest,
});

export const BALANCER = 'arn:aws:elasticloadbalancing:us-east-1:000000000000:loadbalancer/app/small/1';

const vpcOrigin = {
  Type: 'AWS::CloudFront::VpcOrigin',
  Properties: {
    VpcOriginEndpointConfig: { Name: 'direct', Arn: BALANCER, HTTPPort: 8081, OriginProtocolPolicy: 'http-only' },
  },
};

/**
 * Returns a behavior with a function.
 * @param name logical id of the function in the template
 */
export const behaviour = (rest: Json = {}, name?: string): Json => ({
  TargetOriginId: 'jobs',
  ViewerProtocolPolicy: 'https-only',
  AllowedMethods: ALL_METHODS,
  CachePolicyId: CACHING_DISABLED,
  OriginRequestPolicyId: ALL_VIEWER_EXCEPT_HOST_HEADER,
  Compress: true,
  ...(name && {
    FunctionAssociations: [{ EventType: 'viewer-request', FunctionARN: { 'Fn::GetAtt': [name, 'FunctionARN'] } }],
  }),
  ...rest,
});

export const edgeFunction = (FunctionCode: string, rest: Json = {}): Resources[string] => ({
  Type: 'AWS::CloudFront::Function',
  Properties: {
    Name: 'small-function',
    FunctionCode,
    FunctionConfig: { Comment: 'small', Runtime: 'cloudfront-js-2.0' },
    AutoPublish: true,
    ...rest,
  },
});

/** Returns how long CloudFront caches errors, in seconds. By default, it caches none. */
export const errorsUncached = (ErrorCachingMinTTL = 0): Json[] =>
  [404, 414, 500, 501, 502, 503, 504].map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL }));

/**
 * Returns the small API with a distribution.
 * @param functions code by logical id
 */
export function distributed(config: Json = {}, functions: Readonly<Record<string, string>> = {}): Resources {
  return {
    ...resources(),
    ...Object.fromEntries(Object.entries(functions).map(([name, code]) => [name, edgeFunction(code, { Name: name })])),
    ...(JSON.stringify(config).includes('VpcOrigin') && { VpcOrigin: vpcOrigin }),
    Distribution: {
      Type: 'AWS::CloudFront::Distribution',
      Properties: {
        DistributionConfig: {
          Enabled: true,
          HttpVersion: 'http2',
          IPV6Enabled: true,
          Origins: [jobs()],
          DefaultCacheBehavior: behaviour(),
          CustomErrorResponses: errorsUncached(),
          ...config,
        },
      },
    },
  };
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export async function read(response: IncomingMessage): Promise<Received> {
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

/** Sends a request with an unchanged path, unlike `fetch`. */
export async function ask(
  url: string | undefined,
  path: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string | string[]>; body?: string } = {},
): Promise<Received> {
  const sent = httpRequest(new URL(url ?? ''), { path, method, headers, agent: false });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return read(response);
}
