/** Handles a request in the order of API Gateway. */
import type { Functions } from '../functions/functions.ts';
import { type Answer, authorize, type Permission } from './authorize.ts';
import type { DecisionCache } from './decision-cache.ts';
import { type Call, type Caller, proxyEvent } from './event.ts';
import { type HttpAnswer, Refusal, type RequestVariables, renderRefusal } from './gateway-response.ts';
import { integrate } from './integration.ts';
import { answerMock } from './mock.ts';
import type { Api } from './model.ts';
import { integratePrivately } from './private-request.ts';
import { type GatewayRequest, headerOf } from './request.ts';
import { findRoute, type Match, segmentsOf } from './resource-tree.ts';
import { refusalWithoutMethod } from './signature.ts';
import type { Throttle } from './throttle.ts';
import { admits } from './usage-plan.ts';

/** The parts that all APIs share. */
export interface GatewayParts {
  readonly functions: Functions;
  readonly throttle: Throttle;
  /** The cached responses of authorizers. */
  readonly decisions: DecisionCache<Answer>;
}

function decode(parameters: Match['parameters']): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch (cause) {
    throw new Refusal('BAD_REQUEST_PARAMETERS', { cause });
  }
}

/** Counts the request against the limits of its API key and its stage. */
function count(call: Call, permission: Permission | undefined, throttle: Throttle): Caller['apiKey'] {
  const { api, method, request } = call;
  const value = api.keySource === 'AUTHORIZER' ? permission?.usageIdentifierKey : headerOf(request, 'x-api-key');
  const key = method.apiKeyRequired ? api.usage.keyWith(value ?? '') : undefined;
  if (method.apiKeyRequired && !key) throw new Refusal('INVALID_API_KEY', { authorizer: permission?.authorizer });
  if (!admits(api.usage, throttle, { scope: api.stage, key, method: method.name }))
    throw new Refusal('THROTTLED', { authorizer: permission?.authorizer });
  return key;
}

/**
 * Handles a request to the API. 1. Find the method of the path. A request without a matching method is refused,
 * regardless of its body or key. 2. Refuse a body that is too large. 3. Call the authorizer. 4. Count the request
 * against its API key and its stage. 5. Call the function or the load balancer, or respond from the template.
 */
async function handle({ functions, throttle, decisions }: GatewayParts, api: Api, request: GatewayRequest) {
  const match = findRoute(api.root, segmentsOf(request.path), request.method);
  if (!match) throw refusalWithoutMethod(headerOf(request, 'authorization'));
  const { method } = match;
  const call: Call = { api, method, request, parameters: decode(match.parameters) };

  if (!request.body) throw new Refusal('REQUEST_TOO_LARGE');

  const permission = method.authorizer && (await authorize(functions, decisions, method.authorizer, call));
  const apiKey = count(call, permission, throttle);
  if ('listener' in method.integration) return integratePrivately(method.integration, call, permission?.authorizer);
  if ('mock' in method.integration) return answerMock(method.integration, request, variables(api, request));
  return integrate(functions, method.integration, proxyEvent(call, { apiKey, authorizer: permission?.authorizer }));
}

const variables = ({ id, stage, root }: Api, request: GatewayRequest): RequestVariables => ({
  apiId: id,
  stage,
  requestId: request.id,
  httpMethod: request.method,
  path: `/${stage}${request.path}`,
  resourcePath: findRoute(root, segmentsOf(request.path), request.method)?.node.path ?? '',
  'identity.sourceIp': request.sourceIp,
});

const withId = ({ status, headers, body }: HttpAnswer, request: GatewayRequest): HttpAnswer => ({
  status,
  headers: [...headers, ['x-amzn-RequestId', request.id]],
  body,
});

/** Responds as the API does to an unknown path. */
export const refusePath = (api: Api, request: GatewayRequest): HttpAnswer =>
  withId(renderRefusal(new Refusal('MISSING_AUTHENTICATION_TOKEN'), api.responses, variables(api, request)), request);

/** Handles a request. Never throws: a refusal is answered with the API's gateway response. */
export async function answer(parts: GatewayParts, api: Api, request: GatewayRequest): Promise<HttpAnswer> {
  const answered = await handle(parts, api, request).catch((error: unknown) => {
    if (!(error instanceof Refusal)) console.error(error);
    const refusal = error instanceof Refusal ? error : new Refusal('INTEGRATION_MALFORMED', { cause: error });
    return renderRefusal(refusal, api.responses, variables(api, request));
  });
  return withId(answered, request);
}
