/** Handles a viewer's request in the order of CloudFront. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { HttpAnswer } from '../gateway/gateway-response.ts';
import { type IncomingRequest, incomingRequest } from '../gateway/request.ts';
import { CHUNKED } from '../gateway/streamed-response.ts';
import { type Answer, type Listener, send } from '../network/address.ts';
import type { Behaviour, Distribution } from './build.ts';
import { EdgeError, errorAnswer } from './edge-error.ts';
import type { EdgeResult } from './edge-function.ts';
import { type EdgeEvent, edgeRequest, splitUrl } from './event.ts';
import { withPolicy } from './headers-policy.ts';
import { type Edge, type Origin, originRequest, viewerHeaders } from './origin.ts';
import { normalizedPath } from './path-pattern.ts';
import { LateOrigin, type Patience, patience } from './patience.ts';
import { isResponse, requestAfter, responseOf, URL_LIMIT } from './returned.ts';

/**
 * Returns the behavior for a request.
 * @throws EdgeError if the URL is invalid, or the behavior does not allow the method
 */
function behaviourFor({ behaviours }: Distribution, { url, method }: IncomingRequest): Behaviour {
  if (url.length > URL_LIMIT) throw new EdgeError(`The URL is longer than ${URL_LIMIT} bytes.`, { status: 413 });
  const path = normalizedPath(splitUrl(url).path);
  const behaviour = path === undefined ? undefined : behaviours.find(({ matches }) => matches(path));
  if (!behaviour) throw new EdgeError('The URL has no path.', { status: 400 });
  if (!behaviour.methods.has(method))
    throw new EdgeError('The distribution does not allow this HTTP method here.', { status: 403 });
  return behaviour;
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

type Decision = { readonly response: Answer } | { readonly request: IncomingRequest; readonly origin: Origin };

/**
 * Runs the function of a behavior.
 * @throws EdgeError if the function fails, or its result is invalid
 */
async function decide(
  { id, domainName, origins }: Distribution,
  { viewerRequest, origin }: Behaviour,
  request: IncomingRequest,
  requestId: string,
): Promise<Decision> {
  if (!viewerRequest) return { request, origin };
  const before = edgeRequest(request);
  const event: EdgeEvent = {
    version: '1.0',
    context: { distributionDomainName: domainName, distributionId: id, eventType: 'viewer-request', requestId },
    viewer: { ip: request.sourceIp },
    request: before,
  };
  let result: EdgeResult;
  try {
    result = await viewerRequest(event);
  } catch (error) {
    console.error(error);
    throw new EdgeError('The function of the distribution is invalid or could not run.', {
      status: 503,
      result: 'FunctionExecutionError',
      cause: error,
    });
  }
  if (isResponse(result.returned)) return { response: responseOf(result.returned) };
  const after = requestAfter(request, before, result.returned);
  return { request: after, origin: origins.get(result.origin ?? '') ?? origin };
}

/**
 * Sends the request to the origin.
 * @throws EdgeError if the origin fails, or does not respond in time
 */
async function ask(
  origin: Origin,
  request: IncomingRequest,
  { first }: Patience,
  outgoing: ServerResponse,
): Promise<HttpAnswer> {
  const gone = new AbortController();
  const leave = () => outgoing.writableFinished || gone.abort();
  outgoing.once('close', leave);
  const answering = origin.send(request, gone.signal);
  try {
    return await first(answering, request.body);
  } catch (error) {
    if (error instanceof LateOrigin) {
      gone.abort();
      answering.then(
        ({ body }) => body instanceof Readable && body.destroy(),
        () => undefined,
      );
      throw new EdgeError('The origin did not respond in time.', { status: 504, cause: error });
    }
    throw new EdgeError('The origin could not be reached, or closed the connection.', { status: 502, cause: error });
  }
}

/** Yields the body as it arrives, until the viewer closes the connection. */
function timed(body: HttpAnswer['body'], { rest }: Patience, outgoing: ServerResponse): Answer['body'] {
  if (!(body instanceof Readable)) return body;
  outgoing.once('close', () => body.destroy());
  return rest(body);
}

/**
 * Creates the distribution's request handler.
 * @param page returns the page at `/`
 */
export function serveDistribution(distribution: Distribution, page: () => string): Listener {
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const viewed = incomingRequest(incoming);
    if (viewed.url === '/') {
      await send(outgoing, { status: 200, headers: [['Content-Type', 'text/html; charset=utf-8']], body: page() });
      return;
    }
    const behaviour = behaviourFor(distribution, viewed);
    if (viewed.method === 'GET' && hasBody(incoming))
      throw new EdgeError('A GET request with a body is not allowed.', { status: 403 });
    const requestId = randomUUID();
    const decision = await decide(distribution, behaviour, viewed, requestId);
    if ('response' in decision) {
      await send(outgoing, decision.response);
      return;
    }
    const { request, origin } = decision;
    const { domainName: distributionDomainName } = distribution;
    const edge: Edge = { requestId, distributionDomainName, wholeRequest: behaviour.wholeRequest };
    const waiting = patience(origin.readTimeout);
    const answer = await ask(origin, originRequest(request, origin, edge), waiting, outgoing);
    const framing = Buffer.isBuffer(answer.body) ? [CHUNKED] : [];
    const headers = [...withPolicy(viewerHeaders(answer, edge), behaviour.headers), ...framing];
    await send(outgoing, { status: answer.status, headers, body: timed(answer.body, waiting, outgoing) });
  };
  return async (incoming, outgoing) => {
    try {
      await respond(incoming, outgoing);
    } catch (error) {
      if (!(error instanceof EdgeError)) throw error;
      // With `Connection: close`, Node.js closes the connection after the response. If the client is still sending
      // then, it might not receive the response.
      if (!outgoing.shouldKeepAlive && !incoming.destroyed)
        await once(incoming.resume(), 'close').catch(() => undefined);
      if (!outgoing.destroyed) await send(outgoing, errorAnswer(error));
    }
  };
}
