/**
 * The `MOCK` integration of a method: a response in the template, such as the response to a browser's preflight
 * request.
 */
import type * as z from 'zod/mini';
import { LocalError } from '../local-error.ts';
import type { method, mockIntegration } from './definitions.ts';
import { type HttpAnswer, Refusal, type RequestVariables, substitute } from './gateway-response.ts';
import { type GatewayRequest, headerOf } from './request.ts';

export interface Mock {
  /** Body of the response, which can contain variables of `$context`. */
  readonly mock: Pick<HttpAnswer, 'status' | 'headers'> & { readonly body: string };
  /** Media types that have a template, if requests with other media types are refused. */
  readonly only: ReadonlySet<string> | undefined;
}

/** Matches a request template that contains only a status. With a single response, any status selects it. */
const STATUS = /^\s*\{\s*"?statusCode"?\s*:\s*\d{3}\s*\}\s*$/;
const HEADER = 'method.response.header.';
const CONSTANT = /^'(?<value>.*)'$/;
/** Matches Velocity expressions that are not supported here: all except variables of `$context`. */
const VELOCITY = /#|\$(?!context\.\w)/;

/**
 * Builds the integration.
 * @throws LocalError for a response that is not supported here or by API Gateway
 */
export function mockOf(
  { MethodResponses }: z.output<typeof method>,
  { RequestTemplates, PassthroughBehavior, IntegrationResponses: [answer] }: z.output<typeof mockIntegration>,
  where: string,
): Mock {
  const { StatusCode: status, ResponseParameters: parameters, ResponseTemplates: bodies } = answer;
  const types = Object.keys(RequestTemplates);
  if (!types.includes('application/json') || !Object.values(RequestTemplates).every((text) => STATUS.test(text)))
    throw new LocalError(`${where} cannot run here: its template must contain only a status.`);
  const body = bodies['application/json'] ?? '';
  if (VELOCITY.test(body))
    throw new LocalError(`${where} cannot run here: its response template can only use variables of $context.`);
  const declared = MethodResponses.find(({ StatusCode }) => StatusCode === status)?.ResponseParameters;
  const headers = Object.entries(parameters).map(([parameter, mapping]): [string, string] => {
    const { value } = CONSTANT.exec(mapping)?.groups ?? {};
    if (!parameter.startsWith(HEADER) || value === undefined)
      throw new LocalError(`${where} cannot run here: ${parameter} must be a header with a quoted value.`);
    if (!declared || !Object.hasOwn(declared, parameter))
      throw new LocalError(`${where} cannot run here: ${parameter} is not declared in its method responses.`);
    return [parameter.slice(HEADER.length), value];
  });
  if (body !== '') headers.unshift(['Content-Type', 'application/json']);
  return { mock: { status, headers, body }, only: PassthroughBehavior === 'NEVER' ? new Set(types) : undefined };
}

/**
 * Returns the response with its variables inserted.
 * @throws Refusal if the integration has no template for the request's Content-Type and passes nothing through
 */
export function answerMock({ mock, only }: Mock, request: GatewayRequest, variables: RequestVariables): HttpAnswer {
  // API Gateway treats a request without a Content-Type as JSON.
  const [mediaType = ''] = (headerOf(request, 'content-type') ?? 'application/json').split(';');
  if (only && !only.has(mediaType.trim().toLowerCase())) throw new Refusal('UNSUPPORTED_MEDIA_TYPE');
  return { ...mock, body: substitute(mock.body, variables) };
}
