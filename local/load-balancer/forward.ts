/** Streams one request to a target, and its response back. */
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { Readable } from 'node:stream';
import { LOOPBACK } from '../network/ports.ts';
import type { ChosenTarget } from './target-group.ts';

export interface ForwardedRequest {
  readonly method: string;
  /** Path and query, as in the request line. */
  readonly url: string;
  /** Names and values in turn, as `rawHeaders` of Node.js has them. */
  readonly headers: readonly string[];
  /**
   * A stream is read as fast as the target takes it. If the response ends first, the rest of the stream is not read:
   * the caller decides whether to read it or to close the connection.
   */
  readonly body: Buffer | Readable;
  /** IP address of the client, for `X-Forwarded-For`. */
  readonly clientAddress: string;
  /** Aborted when the client goes away, which ends the request to the target. */
  readonly gone: AbortSignal;
}

export interface ForwardedResponse {
  readonly status: number;
  /** Pairs, because a name can repeat. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** A stream of the target, which fails if the target cuts the connection, or a page of the load balancer. */
  readonly body: string | Readable;
}

export interface ForwardOptions {
  /** Milliseconds without a byte in either direction. */
  readonly idleTimeout: number;
  /** Port of the listener. */
  readonly port: number;
}

const reasons = { 502: 'Bad Gateway', 503: 'Service Temporarily Unavailable', 504: 'Gateway Time-out' } as const;

/** A response of the load balancer itself. */
export function ownAnswer(status: keyof typeof reasons): ForwardedResponse {
  const title = `${status} ${reasons[status]}`;
  const lines = ['<html>', `<head><title>${title}</title></head>`, '<body>', `<center><h1>${title}</h1></center>`];
  return {
    status,
    headers: [
      ['Server', 'awselb/2.0'],
      ['Content-Type', 'text/html'],
    ],
    body: [...lines, '</body>', '</html>', ''].join('\r\n'),
  };
}

/** Headers of one connection, which end with it. `Expect` has been answered by the server of the client. */
const OF_THE_CONNECTION = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers that the load balancer sets itself, whatever the client has sent. */
const SET_HERE = new Set(['x-forwarded-for', 'x-forwarded-port', 'x-forwarded-proto']);

/** Calls back with each header that is not of the connection, and with its name in lower case. */
function eachHeader(raw: readonly string[], take: (name: string, value: string, lowerCase: string) => void): void {
  let named: readonly string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2)
    if (raw[at]?.toLowerCase() === 'connection')
      named = [...named, ...(raw[at + 1] ?? '').split(',').map((name) => name.trim().toLowerCase())];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at], raw[at + 1]];
    const lowerCase = name.toLowerCase();
    if (!OF_THE_CONNECTION.has(lowerCase) && !named.includes(lowerCase)) take(name, value, lowerCase);
  }
}

/** Methods whose requests have a content length, also if the body is empty. */
const WITH_BODY = new Set(['PATCH', 'POST', 'PUT']);

/** The headers of a request as the target gets them: names and values in turn. */
function forwardedHeaders({ method, headers, body, clientAddress }: ForwardedRequest, port: number): string[] {
  const forwarded: string[] = [];
  const addresses: string[] = [];
  let length: string | undefined;
  eachHeader(headers, (name, value, lowerCase) => {
    if (lowerCase === 'x-forwarded-for') addresses.push(value);
    if (lowerCase === 'content-length') length = value;
    if (!SET_HERE.has(lowerCase)) forwarded.push(name, value);
  });
  const isChunked =
    length === undefined && headers.some((name, at) => at % 2 === 0 && /^transfer-encoding$/i.test(name));
  if (isChunked) forwarded.push('Transfer-Encoding', 'chunked');
  else if (length === undefined && Buffer.isBuffer(body) && (body.length > 0 || WITH_BODY.has(method)))
    forwarded.push('Content-Length', String(body.length));
  forwarded.push('X-Forwarded-For', [...addresses, clientAddress].join(', '));
  forwarded.push('X-Forwarded-Proto', 'http', 'X-Forwarded-Port', String(port));
  return forwarded;
}

/** The headers of a response as the client gets them. */
function responseHeaders({ rawHeaders }: IncomingMessage): ForwardedResponse['headers'] {
  const headers: [string, string][] = [];
  eachHeader(rawHeaders, (name, value) => headers.push([name, value]));
  return headers;
}

/** Forwards a request. Never throws: if that is not possible, returns the response of the load balancer. */
export function forward(
  target: ChosenTarget,
  request: ForwardedRequest,
  { idleTimeout, port }: ForwardOptions,
): Promise<ForwardedResponse> {
  const { promise, resolve } = Promise.withResolvers<ForwardedResponse>();
  const { method, url: path, body, gone } = request;
  const headers = forwardedHeaders(request, port);
  const end = target.begin();
  const sent = sendRequest({ host: LOOPBACK, port: target.port, agent: target.agent, method, path, headers });
  const cut = () => sent.destroy();
  let isLate = false;

  sent.setTimeout(idleTimeout, () => {
    isLate = true;
    cut();
  });
  sent.once('response', (response) => {
    // The reader of the body gets the error too. Until then, it must not end the process.
    response.on('error', () => undefined);
    // The rest of the request belongs to no other response, so the connection cannot be kept.
    response.once('end', () => sent.writableFinished || cut());
    resolve({ status: response.statusCode ?? 502, headers: responseHeaders(response), body: response });
  });
  // After the response has begun, this has no effect: the promise has resolved.
  sent.on('error', () => undefined);
  sent.once('close', () => {
    gone.removeEventListener('abort', cut);
    end();
    resolve(ownAnswer(isLate ? 504 : 502));
  });

  if (gone.aborted) cut();
  else gone.addEventListener('abort', cut, { once: true });
  if (body instanceof Readable) {
    body.once('close', () => body.readableEnded || cut());
    // The target may respond before the first byte of the body.
    sent.flushHeaders();
    body.pipe(sent);
  } else sent.end(body);
  return promise;
}
