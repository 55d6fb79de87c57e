/** Responses of API Gateway itself, in the error shape of this service: `{error, code, requestId}`. */
import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { corsHeaders, neverCached } from '../../core/http/respond.ts';

interface GatewayAnswer {
  readonly type: ResponseType;
  /** @default - the status that API Gateway chose */
  readonly status?: number;
  /** A code, or the variable with the code that the authorizer chose. */
  readonly code: string;
  /** A sentence, in which the gateway replaces `$context` variables; or one variable that is a JSON string already. */
  readonly error: string | { readonly json: string };
  /** Each mapped from a `context` variable, or a constant in quotes; a gateway response has no more than that. */
  readonly headers?: Readonly<Record<string, `context.${string}` | `'${string}'`>>;
}

/** The contract has only 401 for keys: the caller must check the key, whatever is wrong with it. */
const keyAnswer = { status: 401, code: 'UNAUTHORIZED' };
const sendKey = 'send `Authorization: Bearer <API key>`.';
const noKey = `The request carries no API key that is valid here: ${sendKey}`;

const noRoute = {
  status: 404,
  code: 'ROUTE_NOT_FOUND',
  // Not the path: the gateway would put its quotes into the JSON as they are.
  error: 'The interface has no operation `$context.httpMethod` at this path.',
};
// The authorizer names the key of the bucket, so the client's key is not at fault: API Gateway knows a bucket that a
// deployment has just made only after some seconds, up to a minute.
const notReady = {
  status: 503,
  code: 'NOT_READY',
  error: 'The rate limits of this endpoint are not in effect yet; try again after the seconds that `Retry-After` says.',
  headers: { 'Retry-After': "'10'" },
} as const;
// One response for all routes, whose buckets fill again at different rates: the authorizer knows which it is.
const tooMany = {
  status: 429,
  code: 'TOO_MANY_REQUESTS',
  headers: { 'Retry-After': 'context.authorizer.retryAfter' },
} as const;
// The authorizer decides each request. Without a decision, Lambda has run no more functions, or AWS has failed; the
// gateway does not say which. Either way the request has done nothing.
const unchecked = {
  status: 429,
  code: 'TOO_MANY_REQUESTS',
  error:
    'The service could not check the API key or token: it has too many requests at the moment, or has failed. The request was not executed; try again after the seconds that `Retry-After` says.',
  headers: { 'Retry-After': "'1'" },
} as const;
// The gateway does not know how far a function has got.
const repeatable = 'It is safe to try again; where a job was submitted, only with an `Idempotency-Key`.';
const ourFault = {
  status: 500,
  code: 'INTERNAL',
  error: `The service failed to handle the request. ${repeatable}`,
};
const gatewaysWords = { json: '$context.error.messageString' };

const answers: readonly GatewayAnswer[] = [
  // API Gateway does not call the authorizer without a header, and the authorizer never refuses by an error.
  { type: ResponseType.UNAUTHORIZED, ...keyAnswer, error: `The Authorization header is missing: ${sendKey}` },
  {
    type: ResponseType.ACCESS_DENIED,
    status: 401,
    code: '$context.authorizer.code',
    error: '$context.authorizer.error',
  },
  { type: ResponseType.INVALID_API_KEY, ...notReady },
  { type: ResponseType.EXPIRED_TOKEN, ...keyAnswer, error: noKey },
  { type: ResponseType.INVALID_SIGNATURE, ...keyAnswer, error: noKey },
  // The gateway's answer to an unknown path or method that the catch-alls do not take, without an Authorization header.
  { type: ResponseType.MISSING_AUTHENTICATION_TOKEN, ...noRoute },
  { type: ResponseType.RESOURCE_NOT_FOUND, ...noRoute },
  { type: ResponseType.BAD_REQUEST_BODY, status: 400, code: 'INVALID_REQUEST', error: gatewaysWords },
  { type: ResponseType.BAD_REQUEST_PARAMETERS, status: 400, code: 'INVALID_REQUEST', error: gatewaysWords },
  {
    type: ResponseType.REQUEST_TOO_LARGE,
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
    error: 'The request is larger than this operation takes.',
  },
  {
    type: ResponseType.THROTTLED,
    ...tooMany,
    error:
      'This endpoint and operation get more requests than their limit; try again after the seconds that `Retry-After` says.',
  },
  { type: ResponseType.QUOTA_EXCEEDED, ...tooMany, error: 'The quota of requests is used up; try again later.' },
  { type: ResponseType.AUTHORIZER_FAILURE, ...unchecked },
  { type: ResponseType.AUTHORIZER_CONFIGURATION_ERROR, ...unchecked },
  { type: ResponseType.API_CONFIGURATION_ERROR, ...ourFault },
  {
    type: ResponseType.INTEGRATION_FAILURE,
    status: 504,
    code: 'GATEWAY_FAILURE',
    error: `The service could not be reached. ${repeatable}`,
  },
  {
    type: ResponseType.INTEGRATION_TIMEOUT,
    status: 504,
    code: 'GATEWAY_TIMEOUT',
    error: 'The service did not answer in time; what was asked for may still have happened.',
  },
  // No status here: it would take the place of every 4xx that is not in this table. And not the gateway's words, which
  // can quote the Authorization header.
  {
    type: ResponseType.DEFAULT_4XX,
    code: 'REQUEST_REFUSED',
    error: 'API Gateway refused the request ($context.error.responseType).',
  },
  { type: ResponseType.DEFAULT_5XX, ...ourFault },
];

function bodyOf({ error, code }: Pick<GatewayAnswer, 'error' | 'code'>): string {
  const sentence = typeof error === 'string' ? JSON.stringify(error) : error.json;
  return `{"error":${sentence},"code":"${code}","requestId":"$context.requestId"}`;
}

/** The answer to an unknown path or method, in which the gateway replaces `$context` variables. */
export const noRouteBody = bodyOf(noRoute);

/** A constant is written in quotes. */
const constants = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `'${value}'`]));

export interface GatewayResponsesProps {
  /** Origin allowed by CORS. @default - none */
  readonly corsOrigin?: string | undefined;
  /** What a client can do about a request that is too large: a sentence of the answer. @default - nothing */
  readonly tooLarge?: string | undefined;
}

/** Adds all responses of the table to the interface. */
export function addGatewayResponses(api: RestApi, { corsOrigin, tooLarge }: GatewayResponsesProps): void {
  const forPages = corsOrigin === undefined ? {} : constants(corsHeaders(corsOrigin));
  for (const { type, status, code, error: said, headers = {} } of answers) {
    const isTooLarge = type === ResponseType.REQUEST_TOO_LARGE && tooLarge !== undefined;
    const error = isTooLarge ? `${said} ${tooLarge}` : said;
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: status?.toString(),
      responseHeaders: { ...constants(neverCached), ...headers, ...forPages },
      templates: { 'application/json': bodyOf({ error, code }) },
    });
  }
}
