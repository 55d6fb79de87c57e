/**
 * Creates HTTP responses from results and errors. Functions translate a response to the format of API Gateway; the
 * ingress writes it to the connection.
 */

import { JsonText } from '../json/json.ts';
import { RequestError, Throttled } from '../requests/errors.ts';
import { bodyInPieces, bodyInTime } from './body.ts';

/** State of a response that the handler sets. */
export interface ResponseState {
  /**
   * Id of the submitted job, set before the job is stored. The response contains it in a header, unless its
   * headers were already sent.
   */
  jobId?: string;
  /** While true, the call can still be refused, so the status is not sent before the answer is ready. */
  isRefusable?: boolean;
  /**
   * Media type of the answer.
   * @default application/json
   */
  contentType?: string;
}

export type Headers = Readonly<Record<string, string>>;

export interface HttpResponse<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** JSON text, or an object to serialize. */
export type Answer = string | JsonText | object;

/** A failure of the service, which the caller logs. */
export interface Failure {
  readonly error: unknown;
  readonly requestId: string;
  /** Id of the job that might have been stored. */
  readonly jobId?: string | undefined;
}

/** Properties of a response other than its answer. */
export interface Exchange {
  readonly requestId: string;
  /**
   * Origin allowed by CORS.
   * @default - none
   */
  readonly origin?: string | undefined;
  /** The client's `User-Agent`, if it sent one. */
  readonly userAgent?: string | undefined;
  readonly onFailure: (failure: Failure) => void;
  /**
   * Returns whether an unexpected error is that of a call which AWS refused because of its rate.
   * @default - no error is
   */
  readonly isThrottled?: (error: unknown) => boolean;
}

/**
 * The headers of every response. A response is valid for one key at one time: a cache could return it to other callers,
 * and could return an error after its cause is gone. A browser must not guess a media type from bytes of clients and
 * workers.
 */
export const baseHeaders: Headers = { 'Cache-Control': 'private, no-store', 'X-Content-Type-Options': 'nosniff' };

const typeHeader = ({ contentType }: ResponseState): Headers =>
  contentType === undefined ? {} : { 'Content-Type': contentType };

export const jobHeaders = (jobId: string | undefined): Headers => (jobId === undefined ? {} : { 'X-Job-Id': jobId });

/**
 * Returns the CORS headers that let web pages of the origin read a response. API Gateway's own responses also have
 * them.
 */
export const corsHeaders = (origin: string): Headers => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Expose-Headers': 'Retry-After, X-Job-Id',
});

export const response = <Body>(
  { origin }: Pick<Exchange, 'origin'>,
  status: number,
  body: Body,
  headers: Headers,
): HttpResponse<Body> => ({
  status,
  headers: {
    'Content-Type': 'application/json',
    ...baseHeaders,
    ...(origin === undefined ? {} : corsHeaders(origin)),
    ...headers,
  },
  body,
});

const failedRequest = 'The service failed to handle the request. It is safe to try again.';
const failedSubmission =
  'The service failed to handle the request, but might have stored the job in `X-Job-Id`. Read its status before you submit it again, unless both requests have the same `Idempotency-Key`.';

/** The content of an error response, in this service's format or in OpenAI's. */
export interface ErrorFacts {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Additional members of the body. */
  readonly record?: object | undefined;
  readonly headers: Headers;
}

const factsOfRefusal = (
  { status, code, message, retryAfter, record }: RequestError,
  jobId: string | undefined = record?.id,
): ErrorFacts => {
  const retry: Headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  return { status, code, message, record, headers: { ...retry, ...jobHeaders(jobId) } };
};

/**
 * Maps an error to a response. An unexpected error is passed to `onFailure`, and the caller gets `INTERNAL`, or
 * `TOO_MANY_REQUESTS` if AWS throttles the service.
 */
export function factsOf(
  { requestId, onFailure, isThrottled }: Exchange,
  error: unknown,
  state: ResponseState = {},
): ErrorFacts {
  if (error instanceof RequestError) return factsOfRefusal(error);
  onFailure({ error, requestId, jobId: state.jobId });
  const message = state.jobId === undefined ? failedRequest : failedSubmission;
  if (isThrottled?.(error)) return factsOfRefusal(new Throttled(message), state.jobId);
  return { status: 500, code: 'INTERNAL', message, headers: jobHeaders(state.jobId) };
}

/** Returns the response of an error, in the format of both interfaces. */
export function errorResponse(exchange: Exchange, error: unknown, state: ResponseState = {}): HttpResponse<string> {
  const { status, code, message, record, headers } = factsOf(exchange, error, state);
  const { requestId } = exchange;
  return response(exchange, status, JSON.stringify({ ...record, error: message, code, requestId }), headers);
}

export const inBytes = <Body>(
  { body, ...rest }: HttpResponse<string>,
  bytesOf: (text: string) => Body,
): HttpResponse<Body> => ({
  ...rest,
  body: bytesOf(body),
});

const jsonOf = (answer: Answer): string | JsonText =>
  typeof answer === 'string' || answer instanceof JsonText ? answer : JSON.stringify(answer);

const piecesOf = (answer: Answer): Buffer[] => {
  const json = jsonOf(answer);
  return typeof json === 'string' ? [Buffer.from(json)] : json.bytes;
};

/** Responds with 200 and the answer, or with the error. */
export async function respond(
  exchange: Exchange,
  handle: (state: ResponseState) => Promise<Answer>,
): Promise<HttpResponse<string>> {
  const state: ResponseState = {};
  try {
    const text = String(jsonOf(await handle(state)));
    return response(exchange, 200, text, { ...typeHeader(state), ...jobHeaders(state.jobId) });
  } catch (error) {
    return errorResponse(exchange, error, state);
  }
}

/** The bytes of a body, in pieces. */
export type Body = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Responds with an answer that can be large and take minutes. After `HEADERS_AFTER` it sends the status 200 and
 * then spaces until the answer is ready, unless the call can still be refused. The body of a later failure is the
 * error's JSON text.
 */
export async function respondInTime(
  exchange: Exchange,
  handle: (state: ResponseState) => Promise<Answer>,
): Promise<HttpResponse<Body>> {
  const state: ResponseState = {};
  const lateError = (error: unknown) => [Buffer.from(errorResponse(exchange, error, state).body)];
  try {
    const body = await bodyInTime(handle(state).then(piecesOf), lateError, () => state.isRefusable === true);
    return response(exchange, 200, body, jobHeaders(state.jobId));
  } catch (error) {
    return inBytes(errorResponse(exchange, error, state), (text) => [Buffer.from(text)]);
  }
}

/**
 * Responds with JSON text that is generated while it is sent, so that it does not have to fit into memory. An
 * error before the first piece has its own status. After the first piece, an error makes the body fail, and the
 * server must close the connection.
 */
export async function respondInPieces(
  exchange: Exchange,
  handle: () => Promise<AsyncIterable<string>>,
): Promise<HttpResponse<Body>> {
  try {
    return response(exchange, 200, await bodyInPieces(await handle()), {});
  } catch (error) {
    return inBytes(errorResponse(exchange, error), (text) => [Buffer.from(text)]);
  }
}
