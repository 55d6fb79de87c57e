/** A proxy in front of a service that changes responses, so that rows of the contract do not hold. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';

export interface Response {
  status: number;
  headers: IncomingMessage['headers'];
  /** Text of the body. */
  text: string;
}

/** Changes the response of a request, such as `GET` of `/v2/echo/health`. */
export type Change = (response: Response, method: string, path: string) => void;

export interface Proxy {
  /** Address of the proxy. */
  readonly url: string;
  close(): void;
}

async function forward({ hostname, port }: URL, received: IncomingMessage): Promise<Response> {
  const { method, url = '', rawHeaders } = received;
  // The service may close a connection between two requests.
  const sent = request({ hostname, port, method, path: url, headers: rawHeaders, agent: false });
  received.pipe(sent);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, text: await textOf(response) };
}

/** Starts the proxy of the service with this address. */
export async function changeResponses(address: string, change: Change): Promise<Proxy> {
  const server = createServer(async (received, responding) => {
    try {
      const response = await forward(new URL(address), received);
      change(response, received.method ?? '', received.url ?? '');
      const { 'content-length': _, 'transfer-encoding': __, ...headers } = response.headers;
      responding.writeHead(response.status, headers).end(response.text);
    } catch (error) {
      responding.writeHead(500).end(String(error));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
