/** The HTTP servers of the ingress: one for API Gateway and one for the distribution (`core/http/ingress.ts`). */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isThrottled } from '../aws/throttling.ts';
import { gatewayHeaders, HEALTH_PATH, linkPaths, MAX_CALL_DURATION, WAITS_PER_TASK } from '../core/http/ingress.ts';
import { queryOf, RequestBody } from '../core/http/request.ts';
import { type Body, type Exchange, errorResponse, type Failure, type HttpResponse } from '../core/http/respond.ts';
import { openAiErrorResponse } from '../core/http/respond-openai.ts';
import { recordedTraceId } from '../core/jobs/trace.ts';
import { MINUTE, SECOND, WAITS_FULL_RETRY } from '../core/limits.ts';
import { minDirectBytes, waitingOperations } from '../core/operations/table.ts';
import { RouteNotFound, TooManyRequests } from '../core/requests/errors.ts';
import type { SubmitOperation } from '../core/submission/request.ts';
import { type Identify, identifyByGateway, identifyByKey, NotAsAuthorized } from './callers.ts';
import type { Handlers, IngressOperation } from './handlers.ts';
import type { OpenCalls } from './open-calls.ts';
import { beginnings, createPaths } from './paths.ts';
import { type BodyReader, RequestAborted } from './request-body.ts';
import { ClientLeft, dropRest, send } from './send.ts';

const HEADERS_TIMEOUT = 10 * SECOND;
/** Limit of the whole request. Its body also has stricter limits (`request-body.ts`). */
const REQUEST_TIMEOUT = 10 * MINUTE;
/** Longer than the load balancer's idle timeout, so that the ingress never closes a connection in use. */
const KEEP_ALIVE_TIMEOUT = MAX_CALL_DURATION + 15 * SECOND;

export interface IngressParts {
  readonly handlers: Handlers;
  readonly bodies: BodyReader;
  readonly open: OpenCalls;
  /** Origin whose web pages may read responses, if there is one. */
  readonly origin: string | undefined;
  readonly onFailure: (failure: Failure) => void;
  /** Called with each submission whose caller records its trace. */
  readonly onTraced: (request: { readonly requestId: string; readonly traceId: string }) => void;
  /** Whether the task is stopping. The load balancer must not send more requests to it. */
  readonly isDraining: () => boolean;
}

/** A source of requests: API Gateway or the distribution. */
export interface Listener {
  readonly operations: readonly IngressOperation[];
  /** The beginning of its paths. */
  readonly beginning: (typeof beginnings)[keyof typeof beginnings];
  readonly identify: Identify;
  /** Paths of health checks. */
  readonly healthPaths: readonly string[];
  /** Returns the id of the request for errors and logs. */
  readonly requestIdOf: (incoming: IncomingMessage) => string;
  /**
   * Maximum number of concurrent calls. The ingress refuses further calls before they use resources. The other source
   * is not affected.
   */
  readonly maxOpenCalls: number;
}

/** Requests that API Gateway has checked. The limit is twice the number that a task is designed for. */
export const gatewayListener: Listener = {
  operations: waitingOperations,
  beginning: beginnings.gateway,
  identify: identifyByGateway,
  healthPaths: [HEALTH_PATH, ...linkPaths],
  requestIdOf: ({ headersDistinct }) => headersDistinct[gatewayHeaders.requestId]?.at(-1) ?? randomUUID(),
  maxOpenCalls: 2 * WAITS_PER_TASK,
};

/** Requests from the distribution, which are not checked yet. */
export const directListener = (ports: Parameters<typeof identifyByKey>[0]): Listener => ({
  operations: Object.keys(minDirectBytes) as (keyof typeof minDirectBytes)[],
  beginning: beginnings.distribution,
  identify: identifyByKey(ports),
  healthPaths: [HEALTH_PATH],
  requestIdOf: () => randomUUID(),
  maxOpenCalls: WAITS_PER_TASK / 2,
});

/** Reports whether the operation reads the body of its request. */
const submits = (operation: IngressOperation): operation is IngressOperation & SubmitOperation =>
  operation === 'run' || operation === 'runsync' || operation === 'openai';

/** Returns the error in the format of the operation's clients. */
function errorOf(operation: IngressOperation | undefined, exchange: Exchange, error: unknown): HttpResponse<Body> {
  const { body, ...rest } =
    operation === 'openai' ? openAiErrorResponse(exchange, error) : errorResponse(exchange, error);
  return { ...rest, body: [Buffer.from(body)] };
}

/** Creates an HTTP server for the operations of one source. It does not listen yet. */
export function createIngressServer(parts: IngressParts, listener: Listener): Server {
  const { handlers, bodies, open, origin, onFailure, onTraced, isDraining } = parts;
  const { identify, requestIdOf, maxOpenCalls } = listener;
  const find = createPaths(listener.operations, listener.beginning);
  let calls = 0;

  async function respond(
    incoming: IncomingMessage,
    exchange: Exchange,
    gone: AbortSignal,
  ): Promise<HttpResponse<Body>> {
    const { method = '', url = '', headersDistinct } = incoming;
    const at = url.indexOf('?');
    const [path, query] = at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
    let target: ReturnType<typeof find>;
    try {
      // The raw path is used, because `URL` would resolve `..` and serve a path that the authorizer has not checked.
      target = find(method, path);
      if (!target) throw new RouteNotFound(method);
      if (calls > maxOpenCalls)
        throw new TooManyRequests('The service has too many calls at present.', WAITS_FULL_RETRY / SECOND);
      const { owner, keyId } = await identify(incoming, target);
      const { operation, endpoint, job } = target;
      const body = submits(operation)
        ? await bodies.read(incoming, operation, endpoint)
        : new RequestBody(Buffer.alloc(0));
      const idempotencyKey = headersDistinct['idempotency-key']?.at(-1);
      const traceparent = headersDistinct.traceparent?.at(-1);
      const traceId = submits(operation) ? recordedTraceId(traceparent) : undefined;
      if (traceId !== undefined) onTraced({ requestId: exchange.requestId, traceId });
      const called = {
        method,
        path: target.path,
        queryText: query,
        contentType: headersDistinct['content-type']?.at(-1),
      };
      const parameters = { endpoint, job, query: queryOf(new URLSearchParams(query)) };
      const by = { owner, keyId, userAgent: exchange.userAgent };
      const request = { ...called, ...parameters, ...by, body, idempotencyKey, traceparent, gone };
      return await handlers[operation](request, exchange).finally(() => body.release());
    } catch (error) {
      if (error instanceof RequestAborted) throw error;
      if (error instanceof NotAsAuthorized) onFailure({ error, requestId: exchange.requestId });
      return errorOf(target?.operation, exchange, error);
    }
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const requestId = requestIdOf(incoming);
    const userAgent = incoming.headersDistinct['user-agent']?.at(-1);
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort());
    const response = await respond(incoming, { requestId, origin, userAgent, onFailure, isThrottled }, gone.signal);
    dropRest(incoming);
    // A closing server waits for its open connections.
    if (!server.listening) outgoing.setHeader('Connection', 'close');
    await send(outgoing, response).catch((error: unknown) => {
      // The response cannot be completed. Destroying the connection keeps the client from accepting a partial
      // response.
      outgoing.destroy();
      if (!(error instanceof ClientLeft)) onFailure({ error, requestId });
    });
  }

  const server = createServer((incoming, outgoing) => {
    if (listener.healthPaths.includes(incoming.url ?? '')) {
      outgoing.writeHead(isDraining() ? 503 : 200).end();
      return;
    }
    open.begin();
    calls += 1;
    outgoing.once('close', () => {
      open.end();
      calls -= 1;
      // A closing server also waits for this idle connection.
      if (!server.listening) setImmediate(() => server.closeIdleConnections());
    });
    // `answer` rejects if the client closed the connection before the end of its request.
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

/** Closes the server after the open calls have ended. It accepts no new connections. */
export async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await closed;
}
