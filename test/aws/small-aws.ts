/** A server that replaces one service of AWS. It records requests, and a test chooses its responses. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Received {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

export type Respond = (response: ServerResponse, request: Received) => void;

export interface SmallAws {
  readonly url: string;
  readonly received: Received[];
  /** Responses to the next requests. The last one is also the response to all further requests. */
  respond(...responses: Respond[]): void;
  stop(): void;
}

const receivedFrom = async (request: IncomingMessage): Promise<Received> => ({
  method: request.method ?? '',
  path: request.url ?? '',
  headers: request.headers as Received['headers'],
  body: await buffer(request),
});

/** Returns a response with this status and body. */
export const responseOf =
  (status: number, body: string | Buffer = '', headers: Readonly<Record<string, string>> = {}): Respond =>
  (response) => {
    response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers }).end(body);
  };

/** Closes the connection without a response. */
export const dropConnection: Respond = ({ socket }) => void socket?.destroy();

/** Sends nothing, and leaves the connection open. */
export const noResponse: Respond = () => undefined;

export async function startSmallAws(): Promise<SmallAws> {
  const received: Received[] = [];
  let responses: Respond[] = [];
  const server = createServer(async (request, response) => {
    const one = await receivedFrom(request);
    received.push(one);
    const respond = responses.length > 1 ? responses.shift() : responses[0];
    respond?.(response, one);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    respond: (...next) => {
      responses = next;
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
