/**
 * Starts a proxy to an endpoint. It refuses every second call, starting with the first, as the service does above
 * the rate limit.
 */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RefusingProxy {
  readonly url: string;
  close(): void;
}

const BODY = '{"error":{"message":"Too many.","type":"rate_limit_error","param":null,"code":"TOO_MANY_REQUESTS"}}';

/**
 * Starts the proxy.
 * @param target base address for the calls that it forwards
 */
export async function startRefusingProxy(target: string): Promise<RefusingProxy> {
  let calls = 0;
  const server = createServer((incoming, outgoing) => {
    calls += 1;
    if (calls % 2 === 1) {
      incoming.resume();
      outgoing.writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '1' }).end(BODY);
      return;
    }
    const { host: _, ...headers } = incoming.headers;
    const sent = request(target + incoming.url, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    sent.once('error', (error) => outgoing.destroy(error));
    incoming.pipe(sent);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
