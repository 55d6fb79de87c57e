/** The HTTP servers of the ingress: one for each way on which requests come (`core/ingress.ts`). */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { RouteNotFound, TooManyRequests } from '../core/errors.ts';
import { queryOf, RequestBody } from '../core/http/request.ts';
import { type BodyReader, RequestAborted } from '../core/http/request-body.ts';
import { type Body, type Exchange, errorResponse, type Failure, type HttpResponse } from '../core/http/respond.ts';
import { gatewayHeaders, HEALTH_PATH, LONGEST_CALL, WAITS_PER_TASK } from '../core/ingress.ts';
import type { JobKind } from '../core/jobs/job.ts';
import { MINUTE, SECOND, WAITS_FULL_RETRY } from '../core/limits.ts';
import type { Identify } from './callers.ts';
import type { Handlers, IngressOperation } from './handlers.ts';
import type { OpenCalls } from './open-calls.ts';
import { createPaths } from './paths.ts';
import { dropRest, send } from './send.ts';

/** Twice the calls that a task is meant for: a call beyond them is refused before it costs anything. */
const MOST_OPEN = 2 * WAITS_PER_TASK;
const HEADERS_TIMEOUT = 10 * SECOND;
/** A body has its own bounds (`core/http/request-body.ts`); this is for what they leave out. */
const REQUEST_TIMEOUT = 10 * MINUTE;
/** Longer than the load balancer keeps an idle connection, so that it is never the ingress that closes one in use. */
const KEEP_ALIVE_TIMEOUT = LONGEST_CALL + 15 * SECOND;

export interface IngressParts {
  readonly handlers: Handlers;
  readonly bodies: BodyReader;
  readonly open: OpenCalls;
  /** Origin whose web pages may read responses, if there is one. */
  readonly origin: string | undefined;
  readonly onFailure: (failure: Failure) => void;
  /** Whether the task ends: the load balancer must send no more requests. */
  readonly isDraining: () => boolean;
}

/** A way on which requests come. */
export interface Way {
  readonly operations: readonly IngressOperation[];
  readonly identify: Identify;
}

/** Operations whose requests have a body that matters. */
const submits = (operation: IngressOperation): operation is JobKind => operation === 'run' || operation === 'runsync';

const inBytes = ({ body, ...rest }: HttpResponse<string>): HttpResponse<Body> => ({
  ...rest,
  body: [Buffer.from(body)],
});

/** An HTTP server that serves the operations of one way. It listens nowhere yet. */
export function createIngressServer(parts: IngressParts, { operations, identify }: Way): Server {
  const { handlers, bodies, open, origin, onFailure, isDraining } = parts;
  const find = createPaths(operations);

  async function respond(
    incoming: IncomingMessage,
    exchange: Exchange,
    gone: AbortSignal,
  ): Promise<HttpResponse<Body>> {
    const { method = '', url = '', headersDistinct } = incoming;
    const [path = '', query = ''] = url.split('?', 2);
    try {
      // As it came: `URL` would resolve `..`, and another path than that of the authorizer would be served.
      const target = find(method, path);
      if (!target) throw new RouteNotFound(method);
      if (open.count() > MOST_OPEN)
        throw new TooManyRequests('The service has too many calls at present.', WAITS_FULL_RETRY / SECOND);
      const { owner } = await identify(incoming, target);
      const { operation, endpoint, job } = target;
      const body = submits(operation) ? await bodies.read(incoming, operation) : new RequestBody(Buffer.alloc(0));
      const idempotencyKey = headersDistinct['idempotency-key']?.at(-1);
      const request = { endpoint, job, owner, query: queryOf(new URLSearchParams(query)), body, idempotencyKey, gone };
      return await handlers[operation](request, exchange).finally(() => body.release());
    } catch (error) {
      if (error instanceof RequestAborted) throw error;
      return inBytes(errorResponse(exchange, error));
    }
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const requestId = incoming.headersDistinct[gatewayHeaders.requestId]?.at(-1) ?? randomUUID();
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort());
    const response = await respond(incoming, { requestId, origin, onFailure }, gone.signal);
    dropRest(incoming);
    // A server that closes waits for its connections.
    if (!server.listening) outgoing.setHeader('Connection', 'close');
    await send(outgoing, response);
  }

  const server = createServer((incoming, outgoing) => {
    if (incoming.url === HEALTH_PATH) {
      outgoing.writeHead(isDraining() ? 503 : 200).end();
      return;
    }
    open.begin();
    outgoing.once('close', open.end);
    // Whoever was to read the response is gone, or must not take a part of it for all.
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.headersTimeout = HEADERS_TIMEOUT;
  server.requestTimeout = REQUEST_TIMEOUT;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT;
  return server;
}

export async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

/** Closes the server when the calls under way are over; it takes no new connections. */
export async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await closed;
}
