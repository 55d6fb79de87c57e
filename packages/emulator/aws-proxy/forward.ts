/**
 * Forwards requests to the emulators over persistent connections. Every AWS call of every process passes here, so the
 * requests use undici's dispatcher, which takes much less processor time than Node's own client.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { AwsFault } from './aws-fault.ts';
import { Pool, request } from './undici.ts';

export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** The response of an emulator whose body is streamed. */
export type StreamedAnswer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>;

export interface WholeAnswer {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * If the caller closes the connection, both methods abort the request: a long poll without a caller would receive the
 * next message and lose it. Both throw an AwsFault if the emulator does not respond.
 */
export interface Forwarder {
  /** Streams the body, and resolves with the head of the response. */
  stream(exchange: Exchange, origin: string, body: AsyncIterable<Buffer>): Promise<StreamedAnswer>;
  /** Sends the body instead of the caller's, and resolves with the whole response. */
  send(exchange: Exchange, origin: string, body: Buffer): Promise<WholeAnswer>;
  close(): Promise<void>;
}

/** Headers that apply to one connection only. */
const OF_ONE_HOP = new Set(['connection', 'keep-alive', 'expect', 'upgrade', 'transfer-encoding']);

/** Returns the headers of a response that are passed on. */
export function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const kept: IncomingHttpHeaders = {};
  for (const name in headers) if (!OF_ONE_HOP.has(name)) kept[name] = headers[name];
  return kept;
}

/** Returns the headers of a request that are passed on, as alternating names and values. */
function requestHeaders({ rawHeaders }: IncomingMessage, length?: number): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]];
    const lower = name.toLowerCase();
    if (OF_ONE_HOP.has(lower) || (length !== undefined && lower === 'content-length')) continue;
    kept.push(name, value);
  }
  if (length !== undefined) kept.push('content-length', String(length));
  return kept;
}

/** Collects a response. Aborts the request if the caller closes the connection. */
class Collecting implements Dispatcher.DispatchHandler {
  readonly #outgoing: ServerResponse;
  readonly #resolve: (answer: WholeAnswer) => void;
  readonly #reject: (error: Error) => void;
  readonly #chunks: Buffer[] = [];
  #head: Pick<WholeAnswer, 'statusCode' | 'headers'> = { statusCode: 502, headers: {} };
  #leave: () => void = () => undefined;

  constructor(outgoing: ServerResponse, resolve: (answer: WholeAnswer) => void, reject: (error: Error) => void) {
    this.#outgoing = outgoing;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#leave = () => controller.abort(new Error('The caller has closed the connection.'));
    if (this.#outgoing.destroyed) this.#leave();
    else this.#outgoing.once('close', this.#leave);
  }

  onResponseStart(_: Dispatcher.DispatchController, statusCode: number, headers: IncomingHttpHeaders): void {
    this.#head = { statusCode, headers };
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#outgoing.off('close', this.#leave);
    const [only = Buffer.alloc(0), ...more] = this.#chunks;
    this.#resolve({ ...this.#head, body: more.length === 0 ? only : Buffer.concat(this.#chunks) });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#outgoing.off('close', this.#leave);
    this.#reject(error);
  }
}

export function createForwarder(): Forwarder {
  const pools = new Map<string, Pool>();
  // The emulators answer a long poll after at most 20 s, and a large transfer can pause for its caller.
  const poolOf = (origin: string): Pool => {
    const pool = pools.get(origin) ?? new Pool(origin, { headersTimeout: 0, bodyTimeout: 0 });
    pools.set(origin, pool);
    return pool;
  };
  const fault = (origin: string, { message }: Error) =>
    new AwsFault(503, 'ServiceUnavailable', `The emulator at ${origin} did not respond: ${message}`);
  const head = ({ method, url }: IncomingMessage) => ({
    path: url ?? '/',
    method: (method ?? 'GET') as Dispatcher.HttpMethod,
  });
  return {
    async stream({ incoming, outgoing }, origin, body) {
      const gone = new AbortController();
      outgoing.once('close', () => {
        if (!outgoing.writableFinished) gone.abort();
      });
      const headers = requestHeaders(incoming);
      try {
        return await request(poolOf(origin), {
          ...head(incoming),
          headers,
          body: Readable.from(body, { objectMode: false }),
          signal: gone.signal,
        });
      } catch (error) {
        throw error instanceof AwsFault ? error : fault(origin, error as Error);
      }
    },
    send({ incoming, outgoing }, origin, body) {
      const { promise, resolve, reject } = Promise.withResolvers<WholeAnswer>();
      const handler = new Collecting(outgoing, resolve, (error) => reject(fault(origin, error)));
      poolOf(origin).dispatch({ ...head(incoming), headers: requestHeaders(incoming, body.length), body }, handler);
      return promise;
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}
