/** Starts a receiver of webhooks on loopback. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Post {
  readonly path: string;
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface Receiver {
  readonly url: string;
  /** Returns the requests to the path, in their order. */
  posts(path: string): readonly Post[];
  close(): void;
}

/**
 * Starts the receiver.
 * @param statusOf returns the status for the `nth` call of a path, starting at 1
 */
export async function startReceiver(statusOf = (_path: string, _nth: number): number => 200): Promise<Receiver> {
  const came: Post[] = [];
  const posts = (path: string) => came.filter((post) => post.path === path);
  const server = createServer(async (request, response) => {
    const at = Date.now();
    const path = request.url ?? '';
    came.push({ path, at, body: (await buffer(request)).toString() });
    response.writeHead(statusOf(path, posts(path).length)).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posts,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
