/** Sends a job to the user's HTTP server, as one request. */
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import type { OpenAiCall } from '../../core/openai/call.ts';
import type { Server } from '../../core/workers/server.ts';
import type { Offer } from '../agent/job-loop.ts';

/** The server is not there, or went away before it answered anything. */
export class NoAnswer extends Error {}

/** There is an answer, and it cannot be used. The message completes "The server…". */
export class UnusableAnswer extends Error {}

export interface ServerCall {
  readonly port: number;
  readonly path: string;
  /** A request without a body is a GET, any other a POST. */
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
    // A header cannot hold any text.
    ...(s3Config !== undefined && { 'X-Job-S3-Config': Buffer.from(s3Config).toString('base64') }),
  };
}

/**
 * The request that stands for a job.
 * @param input of the job, in UTF-8
 * @param call what the input stands for, if it is a call; otherwise the input itself is posted
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
    ? new UnusableAnswer(`did not answer as HTTP/1.1 says: ${message}`)
    : new NoAnswer(message, { cause: code });

/**
 * Resolves when the head of the answer is there. There is no time limit but `signal`: a job may run for days. Each call
 * has a connection of its own, because a server may close one that is kept just when the next job is sent on it.
 * @throws NoAnswer, UnusableAnswer
 */
export function callServer({ port, path, body, headers, signal }: ServerCall): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const call = request({ host: '127.0.0.1', port, path, method, headers, signal, agent: false }, resolve);
    // It may come again after the answer has begun; the reader of the answer gets that error itself.
    call.on('error', (error) => reject(problemWith(error)));
    call.end(body);
  });
}
