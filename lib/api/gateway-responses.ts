/** Responses that API Gateway itself creates, in the error shape of this service: `{error, code, requestId}`. */
import { ResponseType, type RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import { MISSING_KEY } from '../../core/authorizer/authorize.ts';
import { INVALID_PATH } from '../../core/http/ingress.ts';
import { baseHeaders, corsHeaders } from '../../core/http/respond.ts';

interface GatewayAnswer {
  readonly type: ResponseType;
  /** @default - the status of API Gateway */
  readonly status?: number;
  /** An error code, or the variable that contains the authorizer's error code. */
  readonly code: string;
  /**
   * A sentence in which the gateway replaces `$context` variables, or a variable whose value is already a JSON
   * string.
   */
  readonly error: string | { readonly json: string };
  /** Headers of the response. API Gateway supports only `context` variables and constants in quotes. */
  readonly headers?: Readonly<Record<string, `context.${string}` | `'${string}'`>>;
}

/** The contract has only the status 401 for invalid keys, whatever the reason: the caller must check the key. */
const keyAnswer = { status: 401, code: 'UNAUTHORIZED' };
const sendKey = 'send `Authorization: Bearer <API key>`.';
const noKey = `The request has no API key that is valid for this service: ${sendKey}`;

const noRoute = {
  status: 404,
  code: 'ROUTE_NOT_FOUND',
  // The path is omitted, because API Gateway would not escape quotes in the path.
  error: 'The interface has no operation `$context.httpMethod` at this path.',
};
// The authorizer chooses the key of the bucket, so the client's key is not at fault. API Gateway recognizes a bucket
// of a new deployment only after some seconds, up to a minute.
const notReady = {
  status: 503,
  code: 'NOT_READY',
  error:
    'The rate limits of this endpoint are not in effect yet; try again after the number of seconds in `Retry-After`.',
  headers: { 'Retry-After': "'10'" },
} as const;
// One response for all routes. Their buckets refill at different rates, so the authorizer sets `retryAfter`.
const tooMany = {
  status: 429,
  code: 'TOO_MANY_REQUESTS',
  headers: { 'Retry-After': 'context.authorizer.retryAfter' },
} as const;
// The authorizer decides each request. Without its decision, either Lambda has reached its concurrency limit or AWS
// has failed. API Gateway does not report which of the two. In both cases the request has not been executed.
const unchecked = {
  status: 429,
  code: 'TOO_MANY_REQUESTS',
  error:
    'The service could not check the API key or token: it has too many requests at present, or has failed. The request was not executed; try again after the number of seconds in `Retry-After`.',
  headers: { 'Retry-After': "'1'" },
} as const;
// The function might have finished before the gateway failed.
const repeatable =
  'It is safe to try again. A request that submits a job can only be repeated safely with an `Idempotency-Key`.';
const ourFault = {
  status: 500,
  code: 'INTERNAL',
  error: `The service failed to handle the request. ${repeatable}`,
};
const gatewayMessage = { json: '$context.error.messageString' };

const answers: readonly GatewayAnswer[] = [
  // Only for requests without an Authorization header: API Gateway does not call the authorizer for them, and the
  // authorizer never reports a refusal as an error.
  { type: ResponseType.UNAUTHORIZED, ...keyAnswer, error: MISSING_KEY },
  {
    type: ResponseType.ACCESS_DENIED,
    status: 401,
    code: '$context.authorizer.code',
    // JSON: a sentence or, for OpenAI's clients, an object.
    error: { json: '$context.authorizer.error' },
  },
  { type: ResponseType.INVALID_API_KEY, ...notReady },
  { type: ResponseType.EXPIRED_TOKEN, ...keyAnswer, error: noKey },
  { type: ResponseType.INVALID_SIGNATURE, ...keyAnswer, error: noKey },
  // API Gateway's response to an unknown path or method outside of the catch-alls, without an Authorization header.
  { type: ResponseType.MISSING_AUTHENTICATION_TOKEN, ...noRoute },
  { type: ResponseType.RESOURCE_NOT_FOUND, ...noRoute },
  { type: ResponseType.BAD_REQUEST_BODY, status: 400, code: 'INVALID_REQUEST', error: gatewayMessage },
  // The methods require no parameters, so only the path can be wrong.
  { type: ResponseType.BAD_REQUEST_PARAMETERS, status: 400, code: 'INVALID_REQUEST', error: INVALID_PATH },
  {
    type: ResponseType.REQUEST_TOO_LARGE,
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
    error: 'The request is larger than the limit of this operation.',
  },
  {
    type: ResponseType.THROTTLED,
    ...tooMany,
    // The authorizer names the limit. It has not run if the account has too many requests.
    error: 'Too many requests. $context.authorizer.limit Try again after the number of seconds in `Retry-After`.',
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
    error: 'The service did not answer in time; the operation may still have been executed.',
  },
  // Sets no status, because a status here would replace that of every 4xx outside of this table. Does not contain API
  // Gateway's message, because the message can quote the Authorization header.
  {
    type: ResponseType.DEFAULT_4XX,
    code: 'REQUEST_REFUSED',
    error:
      'API Gateway refused the request ($context.error.responseType): check its method and its `Content-Type`, and that its path has no empty segment (`//`).',
  },
  { type: ResponseType.DEFAULT_5XX, ...ourFault },
];

function bodyOf({ error, code }: Pick<GatewayAnswer, 'error' | 'code'>): string {
  const sentence = typeof error === 'string' ? JSON.stringify(error) : error.json;
  return `{"error":${sentence},"code":"${code}","requestId":"$context.requestId"}`;
}

/** The body of the response to an unknown path or method. API Gateway replaces the `$context` variables. */
export const noRouteBody = bodyOf(noRoute);

/** Writes constants in quotes, as API Gateway requires. */
const constants = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `'${value}'`]));

export interface GatewayResponsesProps {
  /**
   * Origin allowed by CORS.
   * @default - none
   */
  readonly corsOrigin?: string | undefined;
  /**
   * Sentence of the error message that explains how to send a large request.
   * @default - none
   */
  readonly tooLarge?: string | undefined;
}

/** Adds all responses of the table to the interface. */
export function addGatewayResponses(api: RestApiBase, { corsOrigin, tooLarge }: GatewayResponsesProps): void {
  const forPages = corsOrigin === undefined ? {} : constants(corsHeaders(corsOrigin));
  for (const { type, status, code, error: said, headers = {} } of answers) {
    const isTooLarge = type === ResponseType.REQUEST_TOO_LARGE && tooLarge !== undefined;
    const error = isTooLarge ? `${said} ${tooLarge}` : said;
    api.addGatewayResponse(type.responseType, {
      type,
      ...(status !== undefined && { statusCode: status.toString() }),
      responseHeaders: { ...constants(baseHeaders), ...headers, ...forPages },
      templates: { 'application/json': bodyOf({ error, code }) },
    });
  }
}
