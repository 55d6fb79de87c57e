/** The one HTTP server: the stages of all REST APIs, each below its name, and a page that says so at `/`. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Functions } from '../functions/functions.ts';
import { LocalError } from '../local-error.ts';
import { LOOPBACK } from '../ports.ts';
import type { Api } from './api.ts';
import type { HttpAnswer } from './gateway-response.ts';
import { answer, refusePath } from './handle.ts';
import { readRequest } from './request.ts';
import { createThrottle, type Throttle } from './throttle.ts';

export interface GatewayServer {
  /** Until this is called every request is answered 503. */
  serve(apis: ReadonlyMap<string, Api>, functions: Functions, page: () => string): void;
  stop(): Promise<void>;
}

/** One of the APIs, for requests to none of them. */
function apiOf(apis: ReadonlyMap<string, Api>): Api {
  const [api] = apis.values();
  if (!api) throw new LocalError('No API is deployed.');
  return api;
}

type Respond = (message: IncomingMessage) => Promise<HttpAnswer>;

const HEADERS_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 60_000;
/** Longer than clients keep a connection: who closes first must not be us, or a request that is on its way is lost. */
const KEEP_ALIVE_TIMEOUT = 65_000;

const message = (status: number, text: string): HttpAnswer => ({
  status,
  headers: [['Content-Type', 'application/json']],
  body: JSON.stringify({ message: text }),
});

/** What may stand in a message to be shown or put into JSON, and in no URL. */
const UNSAFE = /["<>\\^`{|}\s]|[^\x21-\x7e]/g;

/** `/v2/echo/run?x=1` is path `/echo/run` and query `x=1` of stage `v2`. */
function split(url: string): { stage: string; path: string; query: string } {
  const [path = '', ...query] = url.replace(UNSAFE, encodeURIComponent).split('?');
  const [, stage = '', ...rest] = path.split('/');
  return { stage, path: `/${rest.join('/')}`, query: query.join('?') };
}

function responder(
  apis: ReadonlyMap<string, Api>,
  functions: Functions,
  page: () => string,
  throttle: Throttle,
): Respond {
  return async (incoming) => {
    const { stage, path, query } = split(incoming.url ?? '/');
    if (stage === '') return { status: 200, headers: [['Content-Type', 'text/html; charset=utf-8']], body: page() };
    const api = apis.get(stage);
    const request = await readRequest(incoming, path, query);
    // AWS differs: there the gateway's own host answers for a stage that does not exist, 403 `{"message":"Forbidden"}`.
    return api ? answer(functions, throttle, api, request) : refusePath(apiOf(apis), request);
  };
}

async function respond(incoming: IncomingMessage, outgoing: ServerResponse, using: Respond): Promise<void> {
  const { status, headers, body } = await using(incoming);
  for (const [name, value] of headers) outgoing.appendHeader(name, value);
  outgoing.statusCode = status;
  if (typeof body === 'string') {
    outgoing.end(body);
    return;
  }
  outgoing.flushHeaders();
  await pipeline(body, outgoing);
}

/**
 * @param now milliseconds on the clock of the rate limits
 * @throws LocalError if the port cannot be had
 */
export async function startGatewayServer(port: number, now?: () => number): Promise<GatewayServer> {
  let using: Respond = async () => message(503, 'The local service is starting.');
  const server = createServer((incoming, outgoing) => {
    respond(incoming, outgoing, (request) => using(request)).catch(() => outgoing.destroy());
  });
  server.headersTimeout = HEADERS_TIMEOUT;
  server.requestTimeout = REQUEST_TIMEOUT;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT;
  server.listen(port, LOOPBACK);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message: reason } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new LocalError(
        `Port ${port} is in use: stop what listens there, or choose another, as in PORT=${port + 1}.`,
      );
    throw new LocalError(`Port ${port} cannot be used: ${reason}.`);
  }
  return {
    serve(apis, functions, page) {
      using = responder(apis, functions, page, createThrottle(now));
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
