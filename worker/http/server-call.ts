/** One request to the user's HTTP server. */
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';

/** The server is not there, or went away before it answered anything. */
export class NoAnswer extends Error {}

/** There is an answer, and it cannot be used. The message completes "The server…". */
export class UnusableAnswer extends Error {}

export interface ServerCall {
  readonly port: number;
  readonly path: string;
  /** A request without one is a GET, any other a POST. */
  readonly body?: Uint8Array | undefined;
  readonly headers?: OutgoingHttpHeaders;
  readonly signal: AbortSignal;
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
    // It may come again after the answer has begun; whoever reads the answer hears of that.
    call.on('error', (error) => reject(problemWith(error)));
    call.end(body);
  });
}
