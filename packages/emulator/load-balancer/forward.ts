/** Streams one request to a target, and its response back. */
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { Readable } from 'node:stream';
import type { ChosenTarget } from './target-group.ts';

export interface ForwardedRequest {
  readonly method: string;
  /** Path and query, as in the request line. */
  readonly url: string;
  /** Alternating names and values, as in `rawHeaders` of Node.js. */
  readonly headers: readonly string[];
  /**
   * The body. A stream is read as fast as the target accepts it. If the response ends first, the rest of the stream
   * is not read: the caller decides whether to read it or to close the connection.
   */
  readonly body: Buffer | Readable;
  /** IP address of the client, for `X-Forwarded-For`. */
  readonly clientAddress: string;
  /** Aborted when the client disconnects, which cancels the request to the target. */
  readonly gone: AbortSignal;
}

export interface ForwardedResponse {
  readonly status: number;
  /** Pairs, because a name can repeat. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The target's response stream, or the load balancer's error page. The stream fails if the target closes the connection. */
  readonly body: string | Readable;
}

export interface ForwardOptions {
  /** Milliseconds without a byte in either direction after which the load balancer gives up. */
  readonly idleTimeout: number;
  /** Port of the listener. */
  readonly port: number;
}

const reasons = { 502: 'Bad Gateway', 503: 'Service Temporarily Unavailable', 504: 'Gateway Time-out' } as const;

/** Returns an error response of the load balancer itself. */
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

/** Hop-by-hop headers, which are not forwarded. The listener has already answered `Expect`. */
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

/** Headers that the load balancer sets itself, even if the client has sent them. */
const SET_HERE = new Set(['x-forwarded-for', 'x-forwarded-port', 'x-forwarded-proto']);

/** Calls `take` with each end-to-end header, and with its name in lower case. */
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

/** Methods whose requests have a content length even if the body is empty. */
const WITH_BODY = new Set(['PATCH', 'POST', 'PUT']);

/** Returns the headers of a request for the target, as alternating names and values. */
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

/** Returns the headers of a response for the client. */
function responseHeaders({ rawHeaders }: IncomingMessage): ForwardedResponse['headers'] {
  const headers: [string, string][] = [];
  eachHeader(rawHeaders, (name, value) => headers.push([name, value]));
  return headers;
}

/** Forwards a request. Never rejects: if the target cannot be reached or is too slow, resolves to a 502 or 504. */
export function forward(
  target: ChosenTarget,
  request: ForwardedRequest,
  { idleTimeout, port }: ForwardOptions,
): Promise<ForwardedResponse> {
  const { promise, resolve } = Promise.withResolvers<ForwardedResponse>();
  const { method, url: path, body, gone } = request;
  const headers = forwardedHeaders(request, port);
  const end = target.begin();
  const sent = sendRequest({ host: target.host, port: target.port, agent: target.agent, method, path, headers });
  const cut = () => sent.destroy();
  let isLate = false;

  sent.setTimeout(idleTimeout, () => {
    isLate = true;
    cut();
  });
  sent.once('response', (response) => {
    // Without this listener, an error before the body has a reader would stop the process. The reader gets the
    // error too.
    response.on('error', () => undefined);
    // The target responded before it received the whole request, so the connection cannot be reused.
    response.once('end', () => sent.writableFinished || cut());
    resolve({ status: response.statusCode ?? 502, headers: responseHeaders(response), body: response });
  });
  // An error of the request also closes the request, which is handled below.
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
    // The target can respond before the first byte of the body.
    sent.flushHeaders();
    body.pipe(sent);
  } else sent.end(body);
  return promise;
}
