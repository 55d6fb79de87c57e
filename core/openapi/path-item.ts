/** The OpenAPI description of one route. */
import { openapiRoute, PATH_PARAMETER, type Route } from '../routes.ts';
import { commonCodes, type ErrorCode, errorStatuses, openCodes } from './codes.ts';
import type { OperationDescription, Parameter } from './operations.ts';
import { reference, type Schema } from './schema.ts';

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
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
  status: number,
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
    200: { description: 'OK', ...headers, content: { ...json(answer), ...contentOf(answerTypes ?? {}) } },
    ...Object.fromEntries(errors),
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
const rateLimit = ({ limit }: Route) => ({
  'x-rate-limit': { requestsPer10Seconds: limit.per10Seconds },
});

/** Returns the path in the syntax of OpenAPI, which does not support greedy parameters. */
export const openapiPathOf = (path: string): string => path.replace(PATH_PARAMETER, '{$<name>}');

/** Replaces the security schemes of the document for an operation that API keys may not call. */
const forUsers = {
  description: 'Only for users who have signed in to the console; API keys may not call this operation.',
  security: [{ user: [] }],
};

/** @param name of the operation; for each further method, the method is appended */
export function pathItem(name: string, route: Route, description: OperationDescription): Schema {
  const { summary, parameters, body, bodyTypes, codes = [] } = description;
  const operations = route.methods.map((method, n) => [
    method.toLowerCase(),
    {
      operationId: n === 0 ? name : `${name}-${method.toLowerCase()}`,
      summary,
      ...(route.audience === 'users' && forUsers),
      parameters: parametersOf(route.path, parameters),
      ...(body &&
        method === 'POST' && {
          requestBody: { required: true, content: { ...json(body), ...contentOf(bodyTypes ?? {}) } },
        }),
      responses: responses(description, [...commonCodes, ...codes]),
      ...rateLimit(route),
    },
  ]);
  return Object.fromEntries(operations);
}

/** The operation that returns this description and requires no key. */
export const openapiPath: Schema = {
  get: {
    operationId: 'openapi',
    summary: 'Describes this interface',
    security: [],
    responses: responses({ answer: { type: 'object', description: 'This document.' } }, openCodes),
    ...rateLimit(openapiRoute),
  },
};
