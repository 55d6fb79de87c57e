/** A server in this process that is a target of a load balancer. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ForwardedRequest, ForwardedResponse } from '../../load-balancer/forward.ts';

export interface SmallTarget {
  readonly port: number;
  readonly server: Server;
  /** Number of accepted connections, without those of health checks. */
  connections(): number;
  stop(): Promise<void>;
}

/**
 * Starts a target.
 * @param answer gets all requests except `GET /health`
 */
export async function startTarget(
  answer: RequestListener,
  healthStatus: () => number = () => 200,
): Promise<SmallTarget> {
  const sockets = new Set<unknown>();
  const server = createServer((request, response) => {
    if (request.url === '/health') {
      response.writeHead(healthStatus()).end();
      return;
    }
    sockets.add(request.socket);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    server,
    connections: () => sockets.size,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Returns a request in the format that a listener gets. */
export const forwarded = (rest: Partial<ForwardedRequest> = {}): ForwardedRequest => ({
  method: 'GET',
  url: '/',
  headers: ['Host', 'example.test'],
  body: Buffer.alloc(0),
  clientAddress: '192.0.2.7',
  gone: new AbortController().signal,
  ...rest,
});

export const textOf = async ({ body }: ForwardedResponse): Promise<string> =>
  body instanceof Readable ? (await buffer(body)).toString() : body;
