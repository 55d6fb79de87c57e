/**
 * The middy chains of all HTTP handlers. They translate events of API Gateway into requests, and results into
 * responses.
 */
import { Readable } from 'node:stream';
import { Logger } from '@aws-lambda-powertools/logger';
import middy from '@middy/core';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { optionalEnvironment } from '../aws/environment.ts';
import { isThrottled } from '../aws/throttling.ts';
import { type ForwardedRequest, queryOf, RequestBody } from '../core/http/request.ts';
import {
  type Answer,
  type Body,
  type Exchange,
  type HttpResponse,
  type ResponseState,
  respond,
  respondInPieces,
  respondInTime,
} from '../core/http/respond.ts';
import { type OpenAiResponseState, respondOpenAi } from '../core/http/respond-openai.ts';
import { recordedTraceId } from '../core/jobs/trace.ts';
import type { OpenAiReply } from '../core/openai/answer.ts';
import type { CallerKind } from '../core/operations/routes.ts';

export interface HttpRequest extends ForwardedRequest {
  /** The header `Accept`, if the client sent it. */
  readonly accept?: string | undefined;
  /** The path parameter `template`, or an empty string. */
  readonly template: string;
  /** The path parameter `key`: the id of a key. */
  readonly key: string;
  /** The endpoints and scopes of the caller, from the authorizer. */
  readonly endpoints: readonly string[];
  readonly scopes: readonly string[];
  /** The kind of caller: a program with a key, or a user of the console. */
  readonly caller: CallerKind;
  /** Id of the key or of the user. */
  readonly callerId: string;
  /** Name of the key or of the user; empty for operations that do not store it. */
  readonly callerName: string;
  /** JSON of the session, for `GET /session`. */
  readonly session: string;
}

/** A use-case that handles a request. */
type Handle = (request: HttpRequest, state: ResponseState) => Promise<Answer>;

const logger = new Logger();

/**
 * Also adds the context to the logger. The logger's own middleware would set its log level and keys again for each
 * request.
 */
function exchangeOf(event: APIGatewayProxyEvent, context: Context): Exchange {
  logger.addContext(context);
  const { requestId } = event.requestContext;
  // The log of API Gateway has no headers. This line joins it with the trace.
  const traceId = event.httpMethod === 'POST' ? recordedTraceId(headerOf(event, 'traceparent')) : undefined;
  if (traceId !== undefined) logger.info('Traced request.', { requestId, traceId });
  return {
    requestId,
    userAgent: headerOf(event, 'user-agent'),
    origin: optionalEnvironment('CORS_ORIGIN'),
    onFailure: (failure) => logger.error('The request failed.', { ...failure }),
    isThrottled,
  };
}

/** Test calls in API Gateway's console have no headers. */
interface WithHeaders {
  readonly headers?: APIGatewayProxyEvent['headers'] | null;
}

/** Finds a header, ignoring the case of its name. */
function headerOf({ headers }: WithHeaders, name: string): string | undefined {
  return Object.entries(headers ?? {}).find(([sent]) => sent.toLowerCase() === name)?.[1];
}

function requestFrom(event: APIGatewayProxyEvent): HttpRequest {
  const { authorizer: found } = event.requestContext;
  const authorizer = found ?? {};
  const parameters = Object.entries(event.multiValueQueryStringParameters ?? {});
  const sent = parameters.flatMap(([name, values = []]) => values.map((value) => [name, value] as [string, string]));
  return {
    endpoint: event.pathParameters?.endpoint ?? '',
    job: event.pathParameters?.job ?? '',
    method: event.httpMethod,
    path: event.pathParameters?.path ?? '',
    queryText: new URLSearchParams(sent).toString(),
    accept: headerOf(event, 'accept'),
    contentType: headerOf(event, 'content-type'),
    template: event.pathParameters?.template ?? '',
    key: event.pathParameters?.key ?? '',
    query: queryOf(sent),
    body: new RequestBody(Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')),
    idempotencyKey: headerOf(event, 'idempotency-key'),
    traceparent: headerOf(event, 'traceparent'),
    userAgent: headerOf(event, 'user-agent'),
    owner: String(authorizer.owner),
    endpoints: String(authorizer.endpoints).split(','),
    scopes: String(authorizer.scopes ?? '')
      .split(',')
      .filter(Boolean),
    caller: authorizer.caller === 'user' ? 'user' : 'key',
    callerId: String(authorizer.keyId ?? ''),
    ...(authorizer.caller === 'key' && { keyId: String(authorizer.keyId) }),
    callerName: decodeURIComponent(String(authorizer.callerName ?? '')),
    session: String(authorizer.session ?? '{}'),
  };
}

const forGateway = <Body>({ status, headers, body }: HttpResponse<Body>) => ({ statusCode: status, headers, body });

/** middy splits strings after this number of UTF-16 units, and a character that is split in two is lost. */
const MAX_STRING_LENGTH = 16_384;

/** Returns a body that is complete and short, as a string. */
function shortText(body: Body): string | undefined {
  if (!Array.isArray(body)) return undefined;
  const pieces: readonly Uint8Array[] = body;
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return length > MAX_STRING_LENGTH ? undefined : Buffer.concat(pieces, length).toString();
}

/** Sends a short body as a string, because a stream takes much longer, and any other body as bytes. */
const streamed = ({ body, ...rest }: HttpResponse<Body>) =>
  forGateway({ ...rest, body: shortText(body) ?? Readable.from(body) });

/**
 * Creates a handler of a use-case. It answers 200 with the returned JSON string, or with the JSON of the returned
 * object.
 */
export function http(handle: Handle) {
  return middy<APIGatewayProxyEvent, ReturnType<typeof forGateway<string>>>().handler(async (event, context) =>
    forGateway(await respond(exchangeOf(event, context), async (state) => handle(requestFrom(event), state))),
  );
}

/** Creates a handler that streams the response of `answer`. */
const streaming = (answer: (event: APIGatewayProxyEvent, context: Context) => Promise<HttpResponse<Body>>) =>
  middy<APIGatewayProxyEvent, ReturnType<typeof streamed>>({
    executionMode: executionModeStreamifyResponse,
  }).handler(async (event, context) => streamed(await answer(event, context)));

/** Creates a handler of a streamed route. Its response can have 200 MB and take minutes. */
export const httpStream = (handle: Handle) =>
  streaming((event, context) =>
    respondInTime(exchangeOf(event, context), async (state) => handle(requestFrom(event), state)),
  );

/** Creates a handler for OpenAI clients, with errors in their format, and a stream of events. */
export const httpOpenAi = (handle: (request: HttpRequest, state: OpenAiResponseState) => Promise<OpenAiReply>) =>
  streaming((event, context) =>
    respondOpenAi(exchangeOf(event, context), async (state) => handle(requestFrom(event), state)),
  );

/** Creates a handler of a response that is generated while it is sent. */
export const httpPieces = (handle: (request: HttpRequest) => Promise<AsyncIterable<string>>) =>
  streaming((event, context) => respondInPieces(exchangeOf(event, context), async () => handle(requestFrom(event))));
