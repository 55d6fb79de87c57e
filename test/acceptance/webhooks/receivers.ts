/**
 * Receivers of webhooks on loopback. The first path segment selects the behaviour, and the whole path identifies
 * the receiver.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

export interface Post {
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receivers {
  readonly url: string;
  /** Returns the requests to the path, in their order. */
  posts(path: string): readonly Post[];
  all(): readonly Post[];
  /** Answers the calls that dead receivers hold, so that no delivery waits for them. */
  revive(): void;
  stop(): void;
}

/**
 * Answers a call.
 * @param nth number of the call to this path, from 1
 */
type Behaviour = (response: ServerResponse, nth: number, url: string) => unknown;

const answer =
  (status: number): Behaviour =>
  (response) =>
    response.writeHead(status).end();

const held: ServerResponse[] = [];

export const behaviours = {
  ok: answer(200),
  'third-time': (response, nth, url) => answer(nth < 3 ? 500 : 200)(response, nth, url),
  'fourth-time': (response, nth, url) => answer(nth < 4 ? 500 : 200)(response, nth, url),
  never: answer(500),
  slow: async (response) => {
    await delay(2_000);
    response.writeHead(200).end('late');
  },
  redirect: (response, _, url) => response.writeHead(302, { location: `${url}/ok/redirected` }).end(),
  empty: answer(204),
  garbage: ({ socket }) => socket?.end('HTTP/1.1 was never spoken here\r\n\r\n'),
  /** Does not answer until `revive` is called. */
  dead: (response) => held.push(response),
} as const satisfies Record<string, Behaviour>;

export async function startReceivers(): Promise<Receivers> {
  const came: Post[] = [];
  const ofPath = (path: string) => came.filter((post) => post.path === path);
  const server = createServer(async (request, response) => {
    const at = Date.now();
    const body = (await buffer(request)).toString();
    const path = request.url ?? '';
    came.push({ path, at, headers: request.headers, body });
    const behaviour: Behaviour = behaviours[path.split('/')[1] as keyof typeof behaviours];
    await behaviour(response, ofPath(path).length, url);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    posts: ofPath,
    all: () => came,
    revive() {
      for (const response of held.splice(0)) response.writeHead(200).end();
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
