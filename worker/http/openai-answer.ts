/**
 * Creates the report of a job from the response of a server that is compatible with OpenAI. Another process turns
 * the report into a response, so the report contains the status, media type and bytes of the server.
 */
import type { IncomingMessage } from 'node:http';
import { envelopeOf } from '../../core/openai/envelope.ts';
import type { Report } from '../../core/workers/report.ts';
import { errorOf, isSuccess, kindOf } from './answer.ts';
import { beginningOf, bodyOf, decoded, stored, textOf } from './body.ts';
import { jsonFrom } from './chunks.ts';

/** Maximum number of bytes of an error response that are stored. */
const ERROR_BYTES = 64 * 1024;

/** Matches the last event of a stream. A server may keep its connection open after that event. */
const DONE = /[\r\n]data: ?\[DONE\](?:\r\n\r\n|\n\n|\r\r)/;
const DONE_CHARACTERS = '\ndata: [DONE]\r\n\r\n'.length;

/** Yields the pieces of server-sent events as they arrive, until the server is done, each as a JSON string. */
async function* rawEvents(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let seen = '\n';
  for await (const piece of pieces) {
    if (piece === '') continue;
    yield JSON.stringify(piece);
    seen = seen.slice(-DONE_CHARACTERS) + piece;
    if (DONE.test(seen)) return;
  }
}

/**
 * Reads the response, and returns the report of its job. The output of a success is an array with one element:
 * the JSON of the server, or an envelope with bytes and their type. A stream is stored as chunks of unchanged text. The
 * output of an error is an envelope.
 * @param store stores a chunk, which is a JSON string
 * @param job id of the job
 * @throws UnusableAnswer, and the error that interrupts the response
 */
export async function openAiReport(
  response: IncomingMessage,
  store: (chunk: string) => Promise<void>,
  job: string,
): Promise<Report> {
  const contentType = response.headers['content-type'];
  if (!isSuccess(response)) {
    const body = await beginningOf(response, ERROR_BYTES);
    const head = { status: response.statusCode, retryAfter: response.headers['retry-after'] };
    return { error: errorOf(response, body), output: envelopeOf(job, contentType, body, head) };
  }
  const { type, isJson } = kindOf(response);
  if (type === 'text/event-stream') return stored(rawEvents(textOf(response, true)), store);
  const { size, bytes } = await bodyOf(response);
  if (!bytes) return { size };
  // An empty body is not JSON, and is stored in an envelope.
  const isJsonValue = isJson && size > 0;
  return {
    output: `[${isJsonValue ? await jsonFrom(decoded(bytes), 'an answer') : envelopeOf(job, contentType, bytes)}]`,
  };
}

/** Returns the report of a job whose call cannot be made, as if a server had refused it. */
export function refusal(job: string, message: string): Report {
  const error = { message, type: 'invalid_request_error', param: null, code: null };
  const body = Buffer.from(JSON.stringify({ error }));
  return { error: message, output: envelopeOf(job, 'application/json', body, { status: 400 }) };
}
