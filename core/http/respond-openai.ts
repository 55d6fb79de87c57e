/** Responses to OpenAI's clients: errors in the format of OpenAI's API, and event streams. */
import { endsWithin } from '../clock.ts';
import { HEADERS_AFTER, KEEP_ALIVE, openAiLimits } from '../limits.ts';
import type { OpenAiReply } from '../openai/answer.ts';
import { errorText, JobError, problemOfRefusal, typeOf } from '../openai/error.ts';
import { eventBytes } from './events.ts';
import {
  type Body,
  type Exchange,
  factsOf,
  type Headers,
  type HttpResponse,
  jobHeaders,
  type ResponseState,
  response,
} from './respond.ts';

/** State of a response that the handler sets. */
export interface OpenAiResponseState extends ResponseState {
  /** Whether the client has asked for a stream; undefined until the body is read. */
  isStream?: boolean;
}

const JSON_TYPE = 'application/json';
const eventStream = { 'Content-Type': 'text/event-stream; charset=utf-8' } as const;

/**
 * Returns the headers with the request id, which OpenAI's clients show in their errors. In web pages, the clients
 * can only read exposed headers.
 */
const requestHeaders = ({ requestId, origin }: Exchange): Headers => ({
  'x-request-id': requestId,
  ...(origin !== undefined && {
    'Access-Control-Expose-Headers': 'Retry-After, X-Job-Id, X-Request-Id, X-Should-Retry',
  }),
});

/** OpenAI's clients retry after 408, 409, 429 and 5xx, unless this header forbids it. */
const noRetryHeader: Headers = { 'x-should-retry': 'false' };

/**
 * User agents of Vercel's AI SDK. It repeats requests after the same statuses as OpenAI's clients, but does not know
 * `x-should-retry`.
 */
const STATUS_ONLY_CLIENT = /(?:^| )ai-sdk\//;

/** Status of an error that such a client must not repeat: Failed Dependency, which no client repeats. */
const FINAL_STATUS = 424;

const isRepeated = (status: number) => status === 408 || status === 409 || status === 429 || status >= 500;

/** Returns the status and headers that keep the client from repeating a request, if its error is final. */
function repetitionOf({ userAgent = '' }: Exchange, status: number, isFinal: boolean) {
  if (!isFinal) return { status, headers: {} };
  const knowsHeader = !STATUS_ONLY_CLIENT.test(userAgent);
  return { status: knowsHeader || !isRepeated(status) ? status : FINAL_STATUS, headers: noRetryHeader };
}

/** Returns the response of an error in the format of OpenAI's API. */
export function openAiErrorResponse(
  exchange: Exchange,
  error: unknown,
  state: ResponseState = {},
): HttpResponse<Uint8Array> {
  const headers = { ...requestHeaders(exchange), ...jobHeaders(state.jobId) };
  if (error instanceof JobError) {
    const { status, headers: again } = repetitionOf(exchange, error.status, error.isFinal);
    const later: Headers = error.retryAfter === undefined ? {} : { 'Retry-After': error.retryAfter };
    const more = { ...later, ...again, 'Content-Type': error.contentType };
    return response(exchange, status, error.bytes, { ...headers, ...more });
  }
  const facts = factsOf(exchange, error, state);
  const { status, code } = facts;
  const text = errorText(problemOfRefusal(facts));
  // A retry after a conflict conflicts again, and a retry of a job that might be running would run it twice.
  const mayRun = status >= 500 && state.jobId !== undefined;
  const isFinal = code === 'IDEMPOTENCY_CONFLICT' || mayRun;
  const again = repetitionOf(exchange, status, isFinal);
  return response(exchange, again.status, Buffer.from(text), { ...headers, ...facts.headers, ...again.headers });
}

/** Returns the JSON text of an error that occurs after the status 200 was sent. */
function lateText(exchange: Exchange, error: unknown, state: ResponseState): string {
  if (error instanceof JobError) return errorText(error.problem);
  return Buffer.from(openAiErrorResponse(exchange, error, state).body).toString('utf8');
}

/** Sends spaces until the reply is ready. They keep the connection open, and JSON can begin with spaces. */
async function* answerAfterSpaces(
  reply: Promise<OpenAiReply>,
  lateError: (error: unknown) => string,
): AsyncGenerator<Uint8Array, void> {
  while (!(await endsWithin(KEEP_ALIVE, reply))) yield Buffer.from(' ');
  try {
    yield jsonOf(await reply);
  } catch (error) {
    yield Buffer.from(lateError(error));
  }
}

const eventsIn = (reply: OpenAiReply) => {
  if ('events' in reply) return reply.events;
  throw new Error('The reply is not a stream.');
};

function jsonOf(reply: OpenAiReply): Uint8Array {
  if ('bytes' in reply && reply.contentType === JSON_TYPE) return reply.bytes;
  const message = `The answer took over ${openAiLimits.headersAfter / 1000} s and is not JSON: read the output of the job in \`X-Job-Id\`.`;
  throw new JobError(500, { message, type: typeOf(500), param: null, code: 'LATE_ANSWER' });
}

/** Returns whether the reply is ready before the response must begin without it. */
async function isInTime(reply: Promise<OpenAiReply>, state: OpenAiResponseState): Promise<boolean> {
  let waited = 0;
  do {
    if (await endsWithin(HEADERS_AFTER, reply)) return true;
    waited += HEADERS_AFTER;
  } while (state.isRefusable);
  return !state.isStream && endsWithin(Math.max(0, openAiLimits.headersAfter - waited), reply);
}

/**
 * Responds with an answer, or with events as the worker streams them. A slow reply begins with the status 200
 * before its content is ready: events after `HEADERS_AFTER`, with comments, and JSON after
 * `openAiLimits.headersAfter`, with spaces. A later error is sent as an event or as JSON text.
 */
export async function respondOpenAi(
  exchange: Exchange,
  handle: (state: OpenAiResponseState) => Promise<OpenAiReply>,
): Promise<HttpResponse<Body>> {
  const state: OpenAiResponseState = {};
  const lateError = (error: unknown) => lateText(exchange, error, state);
  const begin = (headers: Headers, body: Body) =>
    response(exchange, 200, body, { ...requestHeaders(exchange), ...jobHeaders(state.jobId), ...headers });
  const reply = handle(state);
  const isReady = await isInTime(reply, state);
  if (!isReady && state.isStream) {
    const events = reply.then(eventsIn);
    // A client can disconnect before its response begins.
    events.catch(() => undefined);
    return begin(eventStream, eventBytes(events, lateError));
  }
  if (!isReady) return begin({}, answerAfterSpaces(reply, lateError));
  try {
    const answer = await reply;
    if ('events' in answer) return begin(eventStream, eventBytes(Promise.resolve(answer.events), lateError));
    return begin({ 'Content-Type': answer.contentType }, [answer.bytes]);
  } catch (error) {
    const { body, ...rest } = openAiErrorResponse(exchange, error, state);
    return { ...rest, body: [body] };
  }
}
