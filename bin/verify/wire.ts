/** Sends a request exactly as given, including paths that a URL parser would change, and repeated headers. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { text as textOf } from 'node:stream/consumers';

/** A request on the wire. */
export interface WireRequest {
  readonly method: string;
  /** Path below the base address. The client does not normalize it. */
  readonly path: string;
  /**
   * Headers as pairs, because names can repeat.
   * @default - only the header with the key
   */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/**
 * Sends the request.
 * @param base base address of an interface
 */
export async function send(
  base: string,
  key: string,
  { method, path, headers, body }: WireRequest,
): Promise<WireAnswer> {
  const { protocol, hostname, port, host, pathname } = new URL(base);
  const call = protocol === 'https:' ? secureRequest : request;
  const pairs = headers ?? [['Authorization', `Bearer ${key}`]];
  const length = ['Content-Length', String(Buffer.byteLength(body ?? ''))];
  const sent = call({
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
