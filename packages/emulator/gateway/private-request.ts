/** Sends a request through a private integration, and returns the response. */
import { Readable } from 'node:stream';
import type { ForwardedRequest, ForwardedResponse } from '../load-balancer/forward.ts';
import { type Call, isBinary } from './event.ts';
import { type HttpAnswer, Refusal } from './gateway-response.ts';
import type { ParameterSource, PrivateIntegration } from './private-integration.ts';
import { headerOf } from './request.ts';

type Authorizer = Readonly<Record<string, string>> | undefined;

const AUTHORIZER = 'authorizer.';

function variableOf({ api, method, request }: Call, authorizer: Authorizer, name: string): string | undefined {
  if (name.startsWith(AUTHORIZER)) return authorizer?.[name.slice(AUTHORIZER.length)];
  if (name === 'requestId') return request.id;
  if (name === 'identity.sourceIp') return request.sourceIp;
  if (name === 'httpMethod') return request.method;
  if (name === 'path') return `/${api.stage}${request.path}`;
  if (name === 'resourcePath') return method.resourcePath;
  return name === 'apiId' ? api.id : api.stage;
}

function mappedValue(source: ParameterSource, call: Call, authorizer: Authorizer): string | undefined {
  if (source.from === 'constant') return source.value;
  if (source.from === 'context') return variableOf(call, authorizer, source.name);
  if (source.from === 'path') return call.parameters[source.name];
  if (source.from === 'header') return headerOf(call.request, source.name);
  return call.request.query.get(source.name)?.at(-1);
}

function queryOf({ request }: Call): string {
  if (request.query.size === 0) return '';
  const pairs = [...request.query].flatMap(([name, values]) => values.map((value) => [name, value] as const));
  return `?${pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`;
}

function urlOf({ path, pathParameters }: PrivateIntegration, call: Call, authorizer: Authorizer): string {
  const filled = path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const source = pathParameters.get(name);
    const value = (source && mappedValue(source, call, authorizer)) ?? '';
    // The value of a greedy parameter is a path.
    const isPath = source?.from === 'path' && call.method.resourcePath.includes(`{${source.name}+}`);
    return isPath ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value);
  });
  // API Gateway puts the stage before the path of a private integration ("Private integrations", Developer Guide).
  return `/${call.api.stage}${filled}${queryOf(call)}`;
}

/** Headers of the client that API Gateway sets itself. */
const SET_BY_GATEWAY = new Set(['content-length', 'host', 'transfer-encoding', 'x-forwarded-for']);

function headersOf({ host, headers: mapped }: PrivateIntegration, call: Call, authorizer: Authorizer): string[] {
  const { api, request } = call;
  const headers = ['Host', host, 'x-amzn-apigateway-api-id', api.id];
  const addresses: string[] = [];
  for (const [name, values] of request.headers) {
    const lowerCase = name.toLowerCase();
    if (lowerCase === 'x-forwarded-for') addresses.push(...values);
    if (SET_BY_GATEWAY.has(lowerCase) || mapped.has(lowerCase)) continue;
    for (const value of values) headers.push(name, value);
  }
  headers.push('X-Forwarded-For', [...addresses, request.sourceIp].join(', '));
  for (const [name, source] of mapped) {
    const value = mappedValue(source, call, authorizer);
    if (value !== undefined) headers.push(name, value);
  }
  return headers;
}

/** Converts a body to text in UTF-8, unless its media type is one of the API's binary media types. */
function textOrBytes(call: Call): Buffer {
  const body = call.request.body ?? Buffer.alloc(0);
  return isBinary(call) ? body : Buffer.from(body.toString('utf8'));
}

/** Headers of a response that API Gateway renames ("Important notes", Developer Guide). */
const REMAPPED = new Set(['date', 'server', 'www-authenticate']);

const answerOf = ({ status, headers, body }: ForwardedResponse): HttpAnswer => ({
  status,
  headers: headers.map(([name, value]) => [REMAPPED.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name, value]),
  body,
});

/**
 * Sends a request to the load balancer and returns its response, including error responses of the load balancer
 * itself.
 * @returns as soon as the head of the response has arrived
 * @throws Refusal if the head takes longer than the integration's timeout; after the head, a timeout makes the body
 *   fail
 */
export async function integratePrivately(
  integration: PrivateIntegration,
  call: Call,
  authorizer: Authorizer,
): Promise<HttpAnswer> {
  const { listener, method, timeout } = integration;
  const ending = new AbortController();
  const end = () => ending.abort();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, timeout);
  const gone = call.request.gone();
  if (gone.aborted) end();
  else gone.addEventListener('abort', end, { once: true });
  const over = () => {
    clearTimeout(timer);
    gone.removeEventListener('abort', end);
  };

  const request: ForwardedRequest = {
    method,
    url: urlOf(integration, call, authorizer),
    headers: headersOf(integration, call, authorizer),
    body: textOrBytes(call),
    // Address of the VPC link: all components share the loopback interface.
    clientAddress: '127.0.0.1',
    gone: ending.signal,
  };
  const response = await listener.forward(request);
  if (!(response.body instanceof Readable) || response.body.destroyed) over();
  else response.body.once('close', over);
  if (isLate) throw new Refusal('INTEGRATION_TIMEOUT');
  return answerOf(response);
}
