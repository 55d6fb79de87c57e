/** Sends a job to the user's HTTP server, as one request. */
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import type { OpenAiCall } from '../../core/openai/call.ts';
import type { Server } from '../../core/workers/server.ts';
import type { Offer } from '../agent/job-loop.ts';

/** The server is down, or disconnected before it answered. */
export class NoAnswer extends Error {}

/** A response that cannot be used. The message completes "The server…". */
export class UnusableAnswer extends Error {}

export interface ServerCall {
  readonly port: number;
  readonly path: string;
  /** Body of a POST. Without a body, the request is a GET. */
  readonly body?: Uint8Array | undefined;
  readonly headers?: OutgoingHttpHeaders;
  readonly signal: AbortSignal;
}

type Job = Pick<Offer, 'id' | 'attempt' | 's3Config'>;

function headersOf({ id, attempt, s3Config }: Job, contentType?: string, body?: Uint8Array): OutgoingHttpHeaders {
  return {
    ...(contentType !== undefined && { 'Content-Type': contentType }),
    ...(body && { 'Content-Length': body.length }),
    'X-Job-Id': id,
    'X-Job-Attempt': attempt,
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

const problemWith = ({ code, message }: NodeJS.ErrnoException): Error =>
  code?.startsWith('HPE_')
    ? new UnusableAnswer(`sent a response that is not valid HTTP/1.1: ${message}`)
    : new NoAnswer(message, { cause: code });

/**
 * Resolves when the head of the response has arrived. Only `signal` limits the time, because a job may run for
 * days. Each call has its own connection: a server may close an idle connection just when the next job is sent on
 * it.
 * @throws NoAnswer, UnusableAnswer
 */
export function callServer({ port, path, body, headers, signal }: ServerCall): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const call = request({ host: '127.0.0.1', port, path, method, headers, signal, agent: false }, resolve);
    // An error may also occur after the response has begun; the reader of the response gets that error.
    call.on('error', (error) => reject(problemWith(error)));
    call.end(body);
  });
}
