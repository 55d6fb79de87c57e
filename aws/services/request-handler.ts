/**
 * Sends requests to AWS, and limits their duration and their number. The SDK's own handler needs four timers and some
 * closures for each request (ADR 0027).
 */
import { addAbortListener } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { buildQueryString, type HttpHandler, type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import { SECOND } from '../../core/limits.ts';

/** Timeouts until a response begins, in milliseconds. */
const requestTimeouts = {
  /** Timeout of calls that read or write one item, which take milliseconds. */
  dynamodb: 5 * SECOND,
  /** Timeout of SQS, which holds a long poll for up to 20 s. */
  sqs: 25 * SECOND,
  /** Timeout of data keys and secrets. */
  keys: 5 * SECOND,
  /** Timeout of objects of up to 20 MB. */
  objects: 30 * SECOND,
  /** Timeout of calls to ECS and API Gateway, and of the call that reads the account's quotas. */
  services: 5 * SECOND,
  /** Timeout of calls to Auto Scaling: a synchronous launch asks EC2 for instances. */
  launches: 20 * SECOND,
  /** Timeout of a search of logs, which can read a few megabytes. */
  logs: 8 * SECOND,
} as const;

/** Timeout of a connection to AWS in milliseconds. Connecting usually takes a few. */
const CONNECT = SECOND;

/**
 * Maximum number of connections of a client in a process. A response that is still being read keeps its connection.
 * Other requests wait for a connection, and their timeout begins when they have one, because a process may start
 * hundreds of requests at the same time: in Lambda, a process serves one request at a time, but a task of the ingress
 * and a function in `npm start` serve many.
 */
const AT_ONCE = 32;

/** Codes of errors of lost connections. The SDK's own handler also calls them TimeoutError. */
const LOST = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** Starts the timeouts of a request. @returns a function that ends the timeout of the response */
function limitTime(sent: http.ClientRequest, limit: number): () => void {
  let responding: NodeJS.Timeout | undefined;
  const after = (milliseconds: number, missing: string) =>
    setTimeout(() => {
      const error = new Error(`${missing} within ${milliseconds} ms.`);
      sent.destroy(Object.assign(error, { name: 'TimeoutError' }));
    }, milliseconds);
  sent.once('socket', (socket) => {
    responding = after(limit, 'AWS did not respond');
    if (!socket.connecting) return;
    const connecting = after(CONNECT, 'No connection to AWS was established');
    const stop = () => clearTimeout(connecting);
    socket.once('connect', stop);
    sent.once('close', stop);
  });
  return () => clearTimeout(responding);
}

/**
 * Calls `stop` with an AbortError when the signal is aborted, or soon if it is already.
 * @returns a function that ends this
 */
export function onAbort(signal: AbortSignal, stop: (error: Error) => void): () => void {
  const listener = addAbortListener(signal, () => stop(new DOMException('The call was aborted.', 'AbortError')));
  return () => listener[Symbol.dispose]();
}

function addressOf({ protocol, hostname, port, path, query }: HttpRequest): https.RequestOptions {
  const search = query && buildQueryString(query);
  return {
    protocol,
    // A URL contains the address of IPv6 in brackets.
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    path: search ? `${path}?${search}` : path,
  };
}

/**
 * Returns the request handler of a client, for requests whose body is text or bytes. It resolves when the headers of a
 * response have arrived. It throws a TimeoutError if they do not arrive in time or the connection is lost, and an
 * AbortError after the signal of the call.
 */
export function requestHandler(service: keyof typeof requestTimeouts): HttpHandler {
  const pool = { keepAlive: true, maxSockets: AT_ONCE };
  const plain = { send: http.request, agent: new http.Agent(pool) };
  const encrypted = { send: https.request, agent: new https.Agent(pool) };

  return {
    metadata: { handlerProtocol: 'http/1.1' },

    handle(request, { abortSignal } = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<{ response: HttpResponse }>();
      const { protocol, method, headers } = request;
      const { send, agent } = protocol === 'https:' ? encrypted : plain;
      const sent = send({ ...addressOf(request), agent, method, headers });
      const inTime = limitTime(sent, requestTimeouts[service]);
      // The option `signal` of Node.js needs more processor time.
      if (abortSignal)
        sent.once(
          'close',
          onAbort(abortSignal as AbortSignal, (error) => sent.destroy(error)),
        );
      sent.once('response', (body) => {
        inTime();
        // Only `set-cookie`, which AWS does not send, would be an array.
        const received = body.headers as Record<string, string>;
        resolve({ response: new HttpResponse({ statusCode: body.statusCode ?? 0, headers: received, body }) });
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        inTime();
        reject(LOST.has(error.code ?? '') ? Object.assign(error, { name: 'TimeoutError' }) : error);
      });
      sent.end(request.body);
      return promise;
    },

    destroy() {
      for (const { agent } of [plain, encrypted]) agent.destroy();
    },

    // The SDK's clients can change the settings of their handler. This one has none.
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
  };
}
