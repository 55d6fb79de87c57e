/** The events that API Gateway sends to functions: the proxy integration's, and the REQUEST authorizer's. */
import { account, arn } from '../account.ts';
import type { Api, Method } from './model.ts';
import { type GatewayRequest, headerOf, type Values } from './request.ts';

/** A request for which a method was found. */
export interface Call {
  readonly api: Api;
  readonly method: Method;
  readonly request: GatewayRequest;
  /** Path parameters, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The caller, as the authorizer and the usage plan have identified it. */
export interface Caller {
  readonly authorizer?: Readonly<Record<string, string>> | undefined;
  readonly apiKey?: { readonly id: string; readonly value: string } | undefined;
}

const orNull = <Value>(entries: Readonly<Record<string, Value>>) => (Object.keys(entries).length ? entries : null);
const lastOf = (values: Values) => Object.fromEntries([...values].map(([name, all]) => [name, all.at(-1) ?? '']));
const allOf = (values: Values) => Object.fromEntries(values);

/** Returns the identity of a request in policies: its stage, HTTP method and path. */
export const methodArn = ({ api, request }: Call): string =>
  arn('execute-api', `${api.id}/${api.stage}/${request.method}${request.path}`);

/** Returns a time in the Common Log Format, such as `09/Apr/2015:12:34:56 +0000`. */
function commonLogTime(time: Date): string {
  const [, day, month, year, clock] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(time.toUTCString()) ?? [];
  return `${day}/${month}/${year}:${clock} +0000`;
}

export function requestContext({ api, method, request }: Call, { authorizer, apiKey }: Caller) {
  return {
    accountId: account.id,
    apiId: api.id,
    ...(authorizer && { authorizer }),
    domainName: headerOf(request, 'host'),
    httpMethod: request.method,
    identity: {
      apiKey: apiKey?.value ?? null,
      apiKeyId: apiKey?.id ?? null,
      sourceIp: request.sourceIp,
      userAgent: headerOf(request, 'user-agent') ?? null,
    },
    path: `/${api.stage}${request.path}`,
    protocol: 'HTTP/1.1',
    requestId: request.id,
    requestTime: commonLogTime(request.time),
    requestTimeEpoch: request.time.getTime(),
    resourceId: method.resourceId,
    resourcePath: method.resourcePath,
    stage: api.stage,
  };
}

function commonPart(call: Call, caller: Caller) {
  const { method, request, parameters } = call;
  return {
    resource: method.resourcePath,
    path: request.path,
    httpMethod: request.method,
    headers: orNull(lastOf(request.headers)),
    multiValueHeaders: orNull(allOf(request.headers)),
    queryStringParameters: orNull(lastOf(request.query)),
    multiValueQueryStringParameters: orNull(allOf(request.query)),
    pathParameters: orNull(parameters),
    stageVariables: null,
    requestContext: requestContext(call, caller),
  };
}

/** Returns whether the API treats the media type of the request as binary. */
export function isBinary({ api, request }: Pick<Call, 'api' | 'request'>): boolean {
  const [mediaType = ''] = (headerOf(request, 'content-type') ?? '').split(';');
  return api.binaryMediaTypes.has(mediaType.trim().toLowerCase());
}

/** Returns the event of an `AWS_PROXY` integration. The body is text, except for the API's binary media types. */
export function proxyEvent(call: Call, caller: Caller) {
  const isBase64Encoded = isBinary(call) && call.request.body !== undefined;
  const body = call.request.body?.length ? call.request.body.toString(isBase64Encoded ? 'base64' : 'utf8') : null;
  return { ...commonPart(call, caller), body, isBase64Encoded: isBase64Encoded && body !== null };
}

/** Returns the event of a REQUEST authorizer, which does not contain the body. */
export const authorizerEvent = (call: Call) => ({
  type: 'REQUEST',
  methodArn: methodArn(call),
  ...commonPart(call, {}),
});
