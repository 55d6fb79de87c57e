/** Sends a job to the user's HTTP server, as one request. */
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import type { OpenAiCall } from '../../core/openai/call-from-input.ts';
import type { Server } from '../../core/workers/server-settings.ts';
import type { Offer } from '../agent/job-loop.ts';

/** The server is down, or disconnected before it answered. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** A response that cannot be used. The message completes "The server…". */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
}

export interface ServerCall {
  readonly port: number;
  readonly path: string;
  /**
   * HTTP method of the call.
   * @default - POST if the call has a body, otherwise GET
   */
  readonly method?: string | undefined;
  readonly body?: Uint8Array | undefined;
  readonly headers?: OutgoingHttpHeaders;
  readonly signal: AbortSignal;
}

type Job = Pick<Offer, 'id' | 'attempt' | 's3Config' | 'traceparent'>;

function headersOf(
  { id, attempt, s3Config, traceparent }: Job,
  contentType?: string,
  body?: Uint8Array,
): OutgoingHttpHeaders {
  return {
    ...(contentType !== undefined && { 'Content-Type': contentType }),
    ...(body && { 'Content-Length': body.length }),
    'X-Job-Id': id,
    'X-Job-Attempt': attempt,
    ...(traceparent !== undefined && { traceparent }),
    // A header cannot contain all characters.
    ...(s3Config !== undefined && { 'X-Job-S3-Config': Buffer.from(s3Config).toString('base64') }),
  };
}

/**
 * Returns the HTTP request of a job.
 * @param input of the job, in UTF-8
 * @param call the request that the input describes; without it, the input itself is posted
 */
export function requestFor(
  { port, path }: Pick<Server, 'port' | 'path'>,
  job: Job,
  input: Uint8Array,
  call?: OpenAiCall,
): Omit<ServerCall, 'signal'> {
  const { contentType, body, ...target } = call ?? { path, contentType: 'application/json', body: input };
  return { port, ...target, body, headers: headersOf(job, contentType, body) };
}

const problemWith = (cause: NodeJS.ErrnoException): Error =>
  cause.code?.startsWith('HPE_')
    ? new UnusableAnswer(`sent a response that is not valid HTTP/1.1: ${cause.message}`, { cause })
    : new NoAnswer(cause.message, { cause });

/**
 * Sends the call, and resolves when the head of the response has arrived. Each call has its own connection: a server
 * may close an idle connection just when the next job is sent on it.
 */
function send(
  { port, body, method = body === undefined ? 'GET' : 'POST', headers, signal }: ServerCall,
  path: string,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path, method, headers, signal, agent: false }, resolve);
    // An error may also occur after the response has begun; the reader of the response gets that error.
    call.on('error', (error) => reject(problemWith(error)));
    call.end(body);
  });
}

/**
 * Returns the path of a redirect that only adds or removes the slash at the end of the path, as frameworks such as
 * FastAPI send it. Returns undefined for any other response: a worker's server must not choose other targets.
 */
function redirectedPath({ port, path }: ServerCall, { statusCode, headers }: IncomingMessage): string | undefined {
  if ((statusCode !== 307 && statusCode !== 308) || headers.location === undefined) return undefined;
  const from = new URL(path, `http://127.0.0.1:${port}`);
  const to = URL.parse(headers.location, from.href);
  if (to?.origin !== from.origin || to.search !== from.search) return undefined;
  const isSame = to.pathname === `${from.pathname}/` || from.pathname === `${to.pathname}/`;
  return isSame ? to.pathname + to.search : undefined;
}

/**
 * Resolves when the head of the response has arrived. Only `signal` limits the time, because a job may run for days.
 * Follows one redirect to the same path with or without a slash at its end.
 * @throws NoAnswer, UnusableAnswer
 */
export async function callServer(call: ServerCall): Promise<IncomingMessage> {
  const response = await send(call, call.path);
  const path = redirectedPath(call, response);
  if (path === undefined) return response;
  // The body of a redirect is of no use, and an interrupted body is an error that nothing else would handle.
  response.on('error', () => undefined).destroy();
  return send(call, path);
}
