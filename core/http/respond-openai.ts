/** Responses to OpenAI's clients: errors in their shape, and streams of events. */
import { HEADERS_AFTER, KEEP_ALIVE, openAiLimits } from '../limits.ts';
import type { OpenAiReply } from '../openai/answer.ts';
import { errorText, JobError, typeOf } from '../openai/error.ts';
import { endsWithin } from './body.ts';
import { eventBytes } from './events.ts';
import { type Body, type Exchange, factsOf, type Headers, type HttpResponse, jobHeaders, type ResponseState, response } from './respond.ts';

/** What the headers of a response tell. */
export interface OpenAiResponseState extends ResponseState {
  /** Whether the client has asked for a stream, from when that is known. */
  isStream?: boolean;
}

const JSON_TYPE = 'application/json';
const eventStream = { 'Content-Type': 'text/event-stream; charset=utf-8' } as const;

/** OpenAI's clients show the id in their errors, also in web pages, which read only headers that are exposed to them. */
const requestHeaders = ({ requestId, origin }: Exchange): Headers => ({
  'x-request-id': requestId,
  ...(origin !== undefined && {
    'Access-Control-Expose-Headers': 'Retry-After, X-Job-Id, X-Request-Id, X-Should-Retry',
  }),
});

/** OpenAI's clients send a request again after 408, 409, 429 and 5xx, unless this says that it would be in vain. */
const neverAgain: Headers = { 'x-should-retry': 'false' };

/** An error in the shape that OpenAI's clients read. */
export function openAiErrorResponse(
  exchange: Exchange,
  error: unknown,
  state: ResponseState = {},
): HttpResponse<Uint8Array> {
  const headers = { ...requestHeaders(exchange), ...jobHeaders(state.jobId) };
  if (error instanceof JobError) {
    const again = error.isFinal ? neverAgain : {};
    return response(exchange, error.status, error.bytes, { ...headers, ...again, 'Content-Type': error.contentType });
  }
  const facts = factsOf(exchange, error, state);
  const { status, code, message } = facts;
  const text = errorText({ message, type: typeOf(status), param: null, code });
  // The key stands for another request, whenever this one comes again; and a job that may run would run a second time.
  const mayRun = status >= 500 && state.jobId !== undefined;
  const again = code === 'IDEMPOTENCY_CONFLICT' || mayRun ? neverAgain : {};
  return response(exchange, status, Buffer.from(text), { ...headers, ...facts.headers, ...again });
}

/** Text of an error that comes under the status 200. */
function lateText(exchange: Exchange, error: unknown, state: ResponseState): string {
  if (error instanceof JobError) return errorText(error.problem);
  return Buffer.from(openAiErrorResponse(exchange, error, state).body).toString('utf8');
}

/** JSON may have spaces before it: they tell everybody on the way that the response is still to come. */
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
  const message = `The answer came after ${openAiLimits.headersAfter / 1000} s and is not JSON: read the output of the job that \`X-Job-Id\` names.`;
  throw new JobError(500, { message, type: typeOf(500), param: null, code: 'LATE_ANSWER' });
}

/** @returns whether the reply is there before the response must begin without it */
async function isInTime(reply: Promise<OpenAiReply>, state: OpenAiResponseState): Promise<boolean> {
  let waited = 0;
  do {
    if (await endsWithin(HEADERS_AFTER, reply)) return true;
    waited += HEADERS_AFTER;
  } while (state.isRefusable);
  return !state.isStream && endsWithin(Math.max(0, openAiLimits.headersAfter - waited), reply);
}

/**
 * Returns the reply: an answer, or its events as they come. A reply that takes long begins without its content, with the
 * status 200: events after `HEADERS_AFTER`, with comments; JSON after `openAiLimits.headersAfter`, with spaces. An error
 * from then on is an event, or the JSON text of an error.
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
  const isThere = await isInTime(reply, state);
  if (!isThere && state.isStream) {
    const events = reply.then(eventsIn);
    // A client may leave before its response begins.
    events.catch(() => undefined);
    return begin(eventStream, eventBytes(events, lateError));
  }
  if (!isThere) return begin({}, answerAfterSpaces(reply, lateError));
  try {
    const answer = await reply;
    if ('events' in answer) return begin(eventStream, eventBytes(Promise.resolve(answer.events), lateError));
    return begin({ 'Content-Type': answer.contentType }, [answer.bytes]);
  } catch (error) {
    const { body, ...rest } = openAiErrorResponse(exchange, error, state);
    return { ...rest, body: [body] };
  }
}
