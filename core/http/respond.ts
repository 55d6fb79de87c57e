/**
 * Makes responses of use-cases, and is the one place where errors become responses. Servers add what is their own: the
 * functions the shape that API Gateway reads, the ingress the writing of the body.
 */
import { RequestError } from '../errors.ts';
import { JsonText } from '../json.ts';
import { bodyInPieces, bodyInTime } from './body.ts';

/** What the headers of a response tell. */
export interface ResponseState {
  /** The submitted job, from when it may be stored; the response has its id unless the headers have left before. */
  jobId?: string;
  /** While true, the status waits for the answer, however long that takes: the call may still be refused. */
  isRefusable?: boolean;
}

export type Headers = Readonly<Record<string, string>>;

export interface HttpResponse<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** JSON text, or the object of which to make it. */
export type Answer = string | JsonText | object;

/** A failure that is not the caller's, to be logged. */
export interface Failure {
  readonly error: unknown;
  readonly requestId: string;
  /** The job that may have been stored. */
  readonly jobId?: string;
}

/** What a response needs besides its answer. */
export interface Exchange {
  readonly requestId: string;
  /** Origin whose web pages may read the response, if there is one. */
  readonly origin?: string;
  readonly onFailure: (failure: Failure) => void;
}

/** Responses are for the holder of one key at one moment. A cache would give them to others, and an error for longer. */
export const neverCached: Headers = { 'Cache-Control': 'private, no-store' };

export const jobHeaders = (jobId: string | undefined): Headers => (jobId === undefined ? {} : { 'X-Job-Id': jobId });

/** Headers with which browsers let pages of the origin read a response, also one that API Gateway makes. */
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
    ...neverCached,
    ...(origin === undefined ? {} : corsHeaders(origin)),
    ...headers,
  },
  body,
});

const failedRequest = 'The service failed to handle the request; it is safe to try again.';
const failedSubmission =
  'The service failed to handle the request, and may have stored the job that `X-Job-Id` names: read its status before you submit it again, or submit it with an `Idempotency-Key`.';

/** What a response says of an error, whatever its shape. */
export interface ErrorFacts {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Members beside those of the error. */
  readonly record?: object | undefined;
  readonly headers: Headers;
}

/** What the caller must not know goes to `onFailure`, and the caller gets `INTERNAL`. */
export function factsOf({ requestId, onFailure }: Exchange, error: unknown, state: ResponseState = {}): ErrorFacts {
  if (error instanceof RequestError) {
    const { status, code, message, retryAfter, record } = error;
    const retry: Headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
    return { status, code, message, record, headers: { ...retry, ...jobHeaders(record?.id) } };
  }
  onFailure({ error, requestId, jobId: state.jobId });
  const message = state.jobId === undefined ? failedRequest : failedSubmission;
  return { status: 500, code: 'INTERNAL', message, headers: jobHeaders(state.jobId) };
}

/** The error shape of both interfaces. */
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

/** Returns 200 with the answer, or the error. */
export async function respond(
  exchange: Exchange,
  handle: (state: ResponseState) => Promise<Answer>,
): Promise<HttpResponse<string>> {
  const state: ResponseState = {};
  try {
    const text = String(jsonOf(await handle(state)));
    return response(exchange, 200, text, jobHeaders(state.jobId));
  } catch (error) {
    return errorResponse(exchange, error, state);
  }
}

/** The bytes of a body, in pieces as they are to be sent. */
export type Body = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * The same for a response that may be large and take minutes. After `HEADERS_AFTER` the status 200 and spaces go out ahead of
 * the answer, unless the call may still be refused; a failure from then on is the error's JSON text under that status.
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
 * The same for a response that is made while it is sent, so that it need not fit into memory: JSON text in pieces. What
 * fails before the first piece has its status; after that the body fails, and the connection must be cut.
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
