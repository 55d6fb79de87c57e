/** Sends a request exactly as given, including paths that a URL parser would change, and repeated headers. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import type { Request } from './corpora/row.ts';

export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/**
 * Sends the request.
 * @param base base address of the job interface
 */
export async function send(base: string, key: string, { method, path, headers, body }: Request): Promise<WireAnswer> {
  const { hostname, port, host, pathname } = new URL(base);
  const pairs = headers ?? [['Authorization', `Bearer ${key}`]];
  const length = ['Content-Length', String(Buffer.byteLength(body ?? ''))];
  const sent = request({
    hostname,
    port,
    method,
    path: `${pathname}${path}`,
    headers: ['Host', host, ...length, ...pairs.flat()],
  }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  // The service can close the connection after it refuses a body, while the client still sends the rest.
  sent.on('error', () => undefined);
  return { status: response.statusCode ?? 0, headers: response.headers, text: await textOf(response) };
}
