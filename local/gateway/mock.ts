/** The `MOCK` integration of a method: an answer that stands in the template, such as one to a browser's preflight. */
import type * as z from 'zod/mini';
import { LocalError } from '../local-error.ts';
import type { method, mockIntegration } from './definitions.ts';
import { type HttpAnswer, Refusal } from './gateway-response.ts';
import { type GatewayRequest, headerOf } from './request.ts';

export interface Mock {
  readonly mock: HttpAnswer;
  /** Whether a request whose Content-Type has no template is refused. */
  readonly onlyJson: boolean;
}

/** The status that picks a response; where there is one response, any status picks it. */
const STATUS = /^\s*\{\s*"?statusCode"?\s*:\s*\d{3}\s*\}\s*$/;
const HEADER = 'method.response.header.';
const CONSTANT = /^'(?<value>.*)'$/;

/** @throws LocalError for what cannot be answered here, or would not be by API Gateway */
export function mockOf(
  { MethodResponses }: z.output<typeof method>,
  { RequestTemplates, PassthroughBehavior, IntegrationResponses: [answer] }: z.output<typeof mockIntegration>,
  where: string,
): Mock {
  const { StatusCode: status, ResponseParameters: parameters } = answer;
  if (!STATUS.test(RequestTemplates['application/json']))
    throw new LocalError(`${where} cannot run here: its template does not name a status and nothing else.`);
  const declared = MethodResponses.find(({ StatusCode }) => StatusCode === status)?.ResponseParameters;
  const headers = Object.entries(parameters).map(([parameter, mapping]): [string, string] => {
    const { value } = CONSTANT.exec(mapping)?.groups ?? {};
    if (!parameter.startsWith(HEADER) || value === undefined)
      throw new LocalError(`${where} cannot run here: ${parameter} is no header with a value in quotes.`);
    if (!declared || !Object.hasOwn(declared, parameter))
      throw new LocalError(`${where} cannot run here: ${parameter} is not among its method responses.`);
    return [parameter.slice(HEADER.length), value];
  });
  return { mock: { status, headers, body: '' }, onlyJson: PassthroughBehavior === 'NEVER' };
}

/** @throws Refusal if the integration has no template for the request's Content-Type and passes nothing through */
export function answerMock({ mock, onlyJson }: Mock, request: GatewayRequest): HttpAnswer {
  // API Gateway takes a request without a Content-Type as JSON.
  const [mediaType] = (headerOf(request, 'content-type') ?? 'application/json').split(';');
  if (onlyJson && mediaType?.trim().toLowerCase() !== 'application/json') throw new Refusal('UNSUPPORTED_MEDIA_TYPE');
  return mock;
}
