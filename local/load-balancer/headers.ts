/** Headers on their way through a load balancer. */
import type { IncomingMessage } from 'node:http';
import type { ForwardedRequest, ForwardedResponse } from './forward.ts';

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

/** Calls back with each header that is not of the connection, its name in lower case as well. */
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

/** Methods whose requests say how long their body is, also if it is empty. */
const WITH_BODY = new Set(['PATCH', 'POST', 'PUT']);

/** The headers of a request as the target gets them: names and values in turn. */
export function forwardedHeaders({ method, headers, body, clientAddress }: ForwardedRequest, port: number): string[] {
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
export function responseHeaders({ rawHeaders }: IncomingMessage): ForwardedResponse['headers'] {
  const headers: [string, string][] = [];
  eachHeader(rawHeaders, (name, value) => headers.push([name, value]));
  return headers;
}
