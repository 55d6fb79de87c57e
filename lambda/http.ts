/** The middy chains of all HTTP handlers, and the one place where errors become responses. */
import type { Readable } from 'node:stream';
import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy, { type MiddlewareObj } from '@middy/core';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { optionalEnvironment } from '../aws/environment.ts';
import { RequestError } from '../core/errors.ts';
import type { QueryValue } from '../core/validation.ts';
import { bodyInPieces, bodyInTime, bytes } from './streamed-body.ts';

export interface HttpRequest {
  /** Path parameters; an absent one is empty. */
  readonly endpoint: string;
  readonly job: string;
  readonly template: string;
  /** Query parameters. */
  readonly query: Readonly<Partial<Record<string, QueryValue>>>;
  readonly body: string;
  /** The header `Idempotency-Key`, if it came. */
  readonly idempotencyKey?: string;
  /** What the authorizer found out of the key. */
  readonly owner: string;
  readonly endpoints: readonly string[];
  readonly scopes: readonly string[];
}

/** What the headers of a response tell. */
export interface HeaderNotes {
  /** The submitted job, from when it may be stored; the response has its id unless the headers have left before. */
  jobId?: string;
  /** While true, the status waits for the answer, however long that takes: the call may still be refused. */
  isRefusable?: boolean;
}

/** A use-case behind a request. It gives the JSON text of the response, or the object of which to make it. */
type Handle = (request: HttpRequest, notes: HeaderNotes) => Promise<string | object>;

const logger = new Logger();

type Headers = Readonly<Record<string, string>>;

const headersOf = ({ jobId }: HeaderNotes): Headers => (jobId === undefined ? {} : { 'X-Job-Id': jobId });

/** For web pages of the one origin that may call, if there is one; the gateway's own answers carry the same. */
function corsHeaders(): Headers {
  const origin = optionalEnvironment('CORS_ORIGIN');
  if (origin === undefined) return {};
  return { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': 'Retry-After, X-Job-Id' };
}

const response = <Body>(statusCode: number, body: Body, headers: Headers = {}) => {
  return { statusCode, headers: { 'Content-Type': 'application/json', ...corsHeaders(), ...headers }, body };
};

type Response<Body> = ReturnType<typeof response<Body>>;

const failedRequest = 'The service failed to handle the request; it is safe to try again.';
const failedSubmission =
  'The service failed to handle the request, and may have stored the job that `X-Job-Id` names: read its status before you submit it again, or submit it with an `Idempotency-Key`.';

/** The error shape of both interfaces. What is not the caller's to know is logged and told as `INTERNAL`. */
function errorResponse(
  error: unknown,
  { requestContext: { requestId } }: APIGatewayProxyEvent,
  notes: HeaderNotes,
): Response<string> {
  if (error instanceof RequestError) {
    const { status, retryAfter, record } = error;
    const retry: Headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
    const text = JSON.stringify({ ...record, error: error.message, code: error.code, requestId });
    return response(status, text, { ...retry, ...headersOf({ jobId: record?.id }) });
  }
  logger.error('The request failed.', { error, requestId, jobId: notes.jobId });
  const sentence = notes.jobId === undefined ? failedRequest : failedSubmission;
  return response(500, JSON.stringify({ error: sentence, code: 'INTERNAL', requestId }), headersOf(notes));
}

/** Of the requests that are being handled. */
const notesOf = new WeakMap<APIGatewayProxyEvent, HeaderNotes>();

function newNotes(event: APIGatewayProxyEvent): HeaderNotes {
  const notes: HeaderNotes = {};
  notesOf.set(event, notes);
  return notes;
}

const errorResponses = <Body>(bodyOf: (text: string) => Body): MiddlewareObj<APIGatewayProxyEvent, Response<Body>> => ({
  onError: ({ error, event }) => {
    const { body, ...rest } = errorResponse(error, event, notesOf.get(event) ?? {});
    return { ...rest, body: bodyOf(body) };
  },
});

/** A test call from API Gateway's own console has none. */
interface WithHeaders {
  readonly headers?: APIGatewayProxyEvent['headers'] | null;
}

/** Names come in the case that the client chose. */
function headerOf({ headers }: WithHeaders, name: string): string | undefined {
  return Object.entries(headers ?? {}).find(([sent]) => sent.toLowerCase() === name)?.[1];
}

/** Lists are written as `a=1&a=2`, `a[]=1` or `a[0]=1`: all of them are lists of `a`, even of one value. */
const LIST = /\[[^\]]*\]$/;

/** No parameter is a list: who sends one is told so, instead of which value counts. */
function queryFrom({ multiValueQueryStringParameters }: APIGatewayProxyEvent): HttpRequest['query'] {
  const sent = Object.entries(multiValueQueryStringParameters ?? {});
  const query = [...Map.groupBy(sent, ([name]) => name.replace(LIST, ''))].map(([plain, parameters]) => {
    const values = parameters.flatMap(([, each = []]) => each);
    const isList = values.length !== 1 || parameters.some(([name]) => name !== plain);
    return [plain, isList ? values : (values[0] ?? '')] as const;
  });
  return Object.fromEntries(query);
}

function requestFrom(event: APIGatewayProxyEvent): HttpRequest {
  const body = event.body ?? '';
  const authorizer = event.requestContext.authorizer ?? {};
  return {
    endpoint: event.pathParameters?.endpoint ?? '',
    job: event.pathParameters?.job ?? '',
    template: event.pathParameters?.template ?? '',
    query: queryFrom(event),
    body: event.isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body,
    idempotencyKey: headerOf(event, 'idempotency-key'),
    owner: String(authorizer.owner),
    endpoints: String(authorizer.endpoints).split(','),
    scopes: String(authorizer.scopes ?? '')
      .split(',')
      .filter(Boolean),
  };
}

async function textOf(handle: Handle, event: APIGatewayProxyEvent, notes: HeaderNotes): Promise<string> {
  const answer = await handle(requestFrom(event), notes);
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}

/** A handler from a use-case: it answers 200 with the JSON text, or with the JSON of the object, that comes back. */
export function http(handle: Handle) {
  return middy<APIGatewayProxyEvent, Response<string>>()
    .use(injectLambdaContext(logger, { resetKeys: true }))
    .use(errorResponses((text) => text))
    .handler(async (event) => {
      const notes = newNotes(event);
      const text = await textOf(handle, event, notes);
      return response(200, text, headersOf(notes));
    });
}

/**
 * The same for a route that is streamed: its response may have 200 MB and take minutes. After `HEADERS_AFTER` the status
 * 200 and spaces go out ahead of the JSON text, unless the call may still be refused; a failure from then on is the error's
 * JSON text under that status.
 */
export function httpStream(handle: Handle) {
  return middy<APIGatewayProxyEvent, Response<Readable>>({ executionMode: executionModeStreamifyResponse })
    .use(injectLambdaContext(logger, { resetKeys: true }))
    .use(errorResponses(bytes))
    .handler(async (event) => {
      const notes = newNotes(event);
      const lateError = (error: unknown) => errorResponse(error, event, notes).body;
      const body = await bodyInTime(textOf(handle, event, notes), lateError, () => notes.isRefusable === true);
      return response(200, body, headersOf(notes));
    });
}

/**
 * The same for a response that is made while it is sent, so that it need not fit into memory: JSON text in pieces. What
 * fails before the first has its status; after that the connection is cut.
 */
export function httpPieces(handle: (request: HttpRequest) => Promise<AsyncIterable<string>>) {
  return middy<APIGatewayProxyEvent, Response<Readable>>({ executionMode: executionModeStreamifyResponse })
    .use(injectLambdaContext(logger, { resetKeys: true }))
    .use(errorResponses(bytes))
    .handler(async (event) => response(200, await bodyInPieces(await handle(requestFrom(event)))));
}
