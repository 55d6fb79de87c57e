/** A request before API Gateway has found its method. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { type Pace, readBody } from './body.ts';

/** A request from a client, or from the distribution. */
export interface IncomingRequest {
  readonly method: string;
  /** Path and query string. */
  readonly url: string;
  /** Alternating names and values. */
  readonly rawHeaders: readonly string[];
  readonly sourceIp: string;
  readonly body: Readable;
  /** Aborted when the client's connection closes. */
  gone(): AbortSignal;
}

/** Signals that are aborted when a connection closes, by socket. All requests of a connection share one signal. */
const connections = new WeakMap<Socket, AbortSignal>();

function closingOf(socket: Socket): AbortSignal {
  const known = connections.get(socket);
  if (known) return known;
  const closing = new AbortController();
  if (socket.destroyed) closing.abort();
  else socket.once('close', () => closing.abort());
  connections.set(socket, closing.signal);
  return closing.signal;
}

export const incomingRequest = (message: IncomingMessage): IncomingRequest => ({
  method: message.method ?? '',
  url: message.url ?? '/',
  rawHeaders: message.rawHeaders,
  sourceIp: message.socket.remoteAddress ?? '',
  body: message,
  gone: () => closingOf(message.socket),
});

/** Values of each header or query parameter, in their order in the request. */
export type Values = ReadonlyMap<string, readonly string[]>;

export interface GatewayRequest {
  readonly id: string;
  readonly method: string;
  /** Path below the stage, as sent, with percent-encoding for characters that a URL cannot contain. */
  readonly path: string;
  /** Values by name. Names that differ only in case are one header, with the name that was sent first. */
  readonly headers: Values;
  readonly query: Values;
  /** The body; undefined if it was larger than API Gateway's limit. */
  readonly body: Buffer | undefined;
  readonly sourceIp: string;
  readonly time: Date;
  /** Aborted when the client's connection closes. */
  gone(): AbortSignal;
}

function gather(pairs: Iterable<readonly [string, string]>, sameName: (name: string) => string): Values {
  const names = new Map<string, string>();
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const known = names.get(sameName(name)) ?? name;
    names.set(sameName(name), known);
    values.set(known, [...(values.get(known) ?? []), value]);
  }
  return values;
}

function* pairsOf(flat: readonly string[]): Generator<[string, string]> {
  for (let at = 0; at + 1 < flat.length; at += 2) yield [flat[at] ?? '', flat[at + 1] ?? ''];
}

/**
 * Reads the whole request before a response starts, as API Gateway does.
 * @throws SlowBody, or the error of a connection that breaks
 */
export async function readRequest(
  incoming: IncomingRequest,
  { id, path, query }: Pick<GatewayRequest, 'id' | 'path'> & { readonly query: string },
  pace?: Pace,
): Promise<GatewayRequest> {
  return {
    id,
    method: incoming.method,
    path,
    headers: gather(pairsOf(incoming.rawHeaders), (name) => name.toLowerCase()),
    query: gather(new URLSearchParams(query), (name) => name),
    body: await readBody(incoming.body, pace),
    sourceIp: incoming.sourceIp,
    time: new Date(),
    gone: incoming.gone,
  };
}

/** Returns the last value of a header; names are not case-sensitive. */
export function headerOf({ headers }: Pick<GatewayRequest, 'headers'>, name: string): string | undefined {
  for (const [header, values] of headers) if (header.toLowerCase() === name.toLowerCase()) return values.at(-1);
  return undefined;
}
