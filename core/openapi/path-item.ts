/** The OpenAPI description of one route. */

import type { OperationDefinition, OperationDescription, Parameter } from '../operations/operation.ts';
import { openapiRoute, PATH_PARAMETER, type Route } from '../operations/routes.ts';
import { rolesFrom } from '../users/role.ts';
import { commonCodes, type ErrorCode, errorStatuses, openCodes, REFUSED_BY_GATEWAY } from './codes.ts';
import { anyObject, reference, type Schema } from './schema.ts';
import { documentTag } from './tags.ts';

const reasons: Readonly<Record<number | string, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  default: 'Refused by API Gateway',
};

const retryAfter = {
  'Retry-After': {
    description: 'Minimum number of seconds before a retry.',
    schema: { type: 'integer', minimum: 1 },
  },
};

const contentOf = (schemas: Readonly<Record<string, Schema>>) =>
  Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema }]));

const json = (schema: Schema) => contentOf({ 'application/json': schema });

const storedJobId = {
  'X-Job-Id': { description: 'Id of a job that might have been stored.', schema: { type: 'string' } },
};

function errorResponse(
  status: number | 'default',
  codes: readonly string[],
  { submits = false, error }: Pick<OperationDescription, 'submits' | 'error'>,
) {
  const description = `${reasons[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}`;
  const named = submits && status === 500 ? { headers: storedJobId } : {};
  const headers = status === 429 || status === 503 ? { headers: retryAfter } : named;
  const [lost, others] = [true, false].map((isLost) => codes.filter((code) => (code === 'WORKER_LOST') === isLost));
  // Members beside a reference are combined with the referenced schema.
  const schema = { ...reference('Error'), properties: { code: { enum: others } } };
  const either = lost?.length && !error ? { oneOf: [reference('LostJob'), schema] } : schema;
  return { description, ...headers, content: json(error ? { oneOf: [error, either] } : either) };
}

const jobId = {
  'X-Job-Id': { description: 'Id of the accepted job.', schema: { type: 'string' } },
};

function responses(
  description: Pick<OperationDescription, 'answer' | 'answerTypes' | 'submits' | 'error'>,
  codes: readonly ErrorCode[],
) {
  const { answer, answerTypes, submits = false } = description;
  const byStatus = Map.groupBy(codes, (code) => errorStatuses[code]);
  const errors = [...byStatus].map(([status, those]) => [status, errorResponse(status, those, description)] as const);
  // JavaScript sorts keys that are integers, so the order of insertion does not matter.
  const headers = submits ? { headers: jobId } : {};
  return {
    200: { description: 'OK', ...headers, content: { ...(answer && json(answer)), ...contentOf(answerTypes ?? {}) } },
    ...Object.fromEntries(errors),
    // API Gateway's own refusals have the shape of other errors, also for calls with another shape of errors. Their
    // status is one of 4xx; some generators of clients write code that does not compile for the range `4XX`.
    default: errorResponse('default', [REFUSED_BY_GATEWAY], {}),
  };
}

const pathParameters: Readonly<Record<string, string>> = {
  endpoint: 'Id of the endpoint.',
  job: 'Id of the job.',
  template: 'Id of the template.',
  key: 'Id of the key, or at least its first 6 characters.',
  path: 'Path of the OpenAI API, such as `v1/chat/completions`, which can contain slashes.',
};

function parametersOf(path: string, described: readonly Parameter[] = []) {
  const names = [...path.matchAll(PATH_PARAMETER)].map(([, name = '']) => name);
  const ofPath = names.map((name) => {
    return { name, in: 'path', required: true, description: pathParameters[name], schema: { type: 'string' } };
  });
  return [...ofPath, ...described];
}

/** Returns the rate limit as an extension, for programs that stay within it. */
const rateLimit = ({ limit }: Pick<Route, 'limit'>) => ({
  'x-rate-limit': { requestsPer10Seconds: limit.per10Seconds },
});

/** Returns the path in the syntax of OpenAPI, which does not support greedy parameters. */
export const openapiPathOf = (path: string): string => path.replace(PATH_PARAMETER, '{$<name>}');

const KB = 1_024;

const inMegabytes = (bytes: number) => (bytes < KB * KB ? `${bytes / KB} KB` : `${bytes / KB / KB} MB`);

/** Returns names in backticks: one, or a list that ends with "or". */
const alternatives = (names: readonly string[]) => {
  const shown = names.map((name) => `\`${name}\``);
  return [shown.slice(0, -1).join(', '), shown.at(-1)].filter(Boolean).join(' or ');
};

/** Returns the sentence that names the callers of an operation. */
function callersOf(name: string, { audience, scope, role }: OperationDefinition): string {
  const user = `a user of the console in the group ${alternatives(rolesFrom(role))}`;
  if (audience === 'users') return `Requires ${user}. API keys may not call this operation.`;
  if (audience === 'all') return `Requires any API key, or ${user}.`;
  const key = scope === undefined ? `that permits \`${name}\`` : `with the scope \`${scope}\``;
  return `Requires an API key ${key}, or ${user}.`;
}

/** The methods whose requests have a body, if the operation has one. */
const withBody: readonly string[] = ['POST', 'PUT', 'PATCH'];

/** Returns the body of a request. */
function requestBody({ body, bodyTypes, maxBytes, example }: OperationDescription) {
  if (!body) return undefined;
  return {
    required: true,
    ...(maxBytes !== undefined && { description: `At most ${inMegabytes(maxBytes)}.` }),
    content: {
      'application/json': { schema: body, ...(example && { example }) },
      ...contentOf(bodyTypes ?? {}),
    },
  };
}

/**
 * Describes the methods of one path as an OpenAPI path item.
 * @param name of the operation; for each further method, the method is appended
 */
export function pathItem(name: string, operation: OperationDefinition): Schema {
  const { methods, path, audience, tag, summary, parameters, codes = [] } = operation;
  const operations = methods.map((method, n) => [
    method.toLowerCase(),
    {
      operationId: n === 0 ? name : `${name}-${method.toLowerCase()}`,
      tags: [tag],
      summary,
      description: callersOf(name, operation),
      // Replaces the security schemes of the document.
      ...(audience === 'users' && { security: [{ user: [] }] }),
      parameters: parametersOf(path, parameters),
      ...(withBody.includes(method) && { requestBody: requestBody(operation) }),
      responses: responses(operation, [...commonCodes, ...codes]),
      ...rateLimit(operation),
    },
  ]);
  return Object.fromEntries(operations);
}

/** The operation that returns this description and requires no key. */
export const openapiPath: Schema = {
  get: {
    operationId: 'openapi',
    tags: [documentTag],
    summary: 'Describes this interface',
    description: 'Requires no API key.',
    security: [],
    responses: responses({ answer: anyObject('This document.') }, openCodes),
    ...rateLimit(openapiRoute),
  },
};
