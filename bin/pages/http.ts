/** The pages of the HTTP interfaces, from their OpenAPI documents. */
import {
  type Content,
  codesOf,
  type NamedOperation,
  type OpenApi,
  type Operation,
  operationsIn,
  type Response,
} from './http-document.ts';
import { fieldsOf, meaningOf, type Schemas, schemaSection, typeOf } from './http-schema.ts';
import { block, code, joined, pageOf, table } from './markdown.ts';

export interface HttpPage {
  readonly title: string;
  /** Name of the JSON file in `docs/reference/openapi`. */
  readonly file: string;
  /** Variable with the base address, in examples. */
  readonly base: string;
  /** Link to a guide, as a sentence. */
  readonly guide: string;
  readonly document: OpenApi;
}

const OK = '200';
const COMMON = '[errors of all operations](#errors-of-all-operations)';

/** Values of path parameters in examples. */
const pathExamples: Readonly<Record<string, string>> = {
  endpoint: 'echo',
  job: 'JOB_ID',
  template: 'TEMPLATE_ID',
  key: 'KEY_ID',
  path: 'v1/chat/completions',
};

const isPublic = ({ security }: Operation) => security?.length === 0;
const isForUsers = ({ security }: Operation) => security?.some((scheme) => 'user' in scheme) === true;

/** Returns the types of a body. Media types other than JSON are named. */
const typesOf = (content: Content) =>
  Object.entries(content).map(([type, { schema }]) => {
    const meaning = meaningOf(schema);
    if (type !== 'application/json') return `${code(type)}: ${meaning}`;
    return meaning === '' ? typeOf(schema) : `${typeOf(schema)}: ${meaning}`;
  });

const headersOf = ({ headers = {} }: Response) =>
  Object.entries(headers)
    .map(([name, { description }]) => `${code(name)}: ${description}`)
    .join('<br>');

const errorsOf = ({ responses }: Operation) =>
  Object.entries(responses).flatMap(([status, response]) =>
    status === OK ? [] : codesOf(response).map((errorCode) => [status, errorCode] as const),
  );

/** Returns the errors that all operations with a key have. */
function commonErrors(operations: readonly NamedOperation[]) {
  const [first, ...others] = operations.map(({ first: operation }) => operation).filter((each) => !isPublic(each));
  const sets = others.map((operation) => new Set(errorsOf(operation).map(String)));
  return first ? errorsOf(first).filter((error) => sets.every((set) => set.has(String(error)))) : [];
}

/** Returns the request of an example. Operations with a body are shown with it. */
function exampleOf({ path, methods, first }: NamedOperation, base: string): string {
  const [method, { requestBody }] = [...methods].find(([, operation]) => operation.requestBody) ??
    [...methods][0] ?? ['GET', first];
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathExamples[name] ?? name);
  const body = requestBody?.content['application/json']?.example;
  const options = [
    isPublic(first) ? '' : `-H "Authorization: Bearer $${isForUsers(first) ? 'ACCESS_TOKEN' : 'API_KEY'}"`,
    ...(body ? ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body)}'`] : []),
  ].filter(Boolean);
  return [`curl ${method === 'GET' ? '' : `-X ${method} `}"$${base}${address}"`, ...options].join(' \\\n  ');
}

const parametersOf = ({ parameters = [] }: Operation) =>
  table(
    ['parameter', 'in', 'type', 'meaning'],
    parameters.map(({ name, in: place, schema, description }) => [
      code(name),
      place,
      typeOf(schema),
      meaningOf({ ...schema, description }),
    ]),
  );

function bodyOf(methods: NamedOperation['methods']): string {
  const [method, operation] = [...methods].find(([, { requestBody }]) => requestBody) ?? [];
  if (!operation?.requestBody) return '';
  const { description = '', content } = operation.requestBody;
  const [only = '', ...others] = typesOf(content);
  const intro = `Body of ${method}${description && `, ${description.charAt(0).toLowerCase()}${description.slice(1, -1)}`}:`;
  return others.length === 0
    ? `${intro} ${only}.`
    : joined([intro, [only, ...others].map((type) => `- ${type}`).join('\n')]);
}

/** Returns the responses, without errors of all operations. */
function responsesOf(operation: Operation, common: ReadonlySet<string>): string {
  const rows = Object.entries(operation.responses).flatMap(([status, response]) => {
    const own = codesOf(response).filter((errorCode) => !common.has(String([status, errorCode])));
    return status === OK || own.length > 0
      ? [[status, own.map(code).join(', '), typesOf(response.content).join('<br>'), headersOf(response)]]
      : [];
  });
  return table(['status', 'codes', 'body', 'headers'], rows);
}

/** Returns the fields of the response, unless it is one of the named objects. */
function answerOf({ responses }: Operation, schemas: Schemas): string {
  const contents = Object.entries(responses).flatMap(([status, { content }]) => (status === OK ? [content] : []));
  const fields = contents.flatMap(Object.values<Content[string]>).map(({ schema }) => fieldsOf(schema, schemas));
  return fields.some(Boolean) ? joined([`Body of ${OK}:`, ...fields]) : '';
}

interface PageParts {
  readonly base: string;
  /** Errors of all operations. */
  readonly common: ReadonlySet<string>;
  readonly schemas: Schemas;
}

function sectionOf(operation: NamedOperation, { base, common, schemas }: PageParts): string {
  const { name, path, methods, first } = operation;
  const limit = first['x-rate-limit'].requestsPer10Seconds.toLocaleString('en');
  return joined([
    `### ${code(name)}`,
    code(`${[...methods.keys()].join(' or ')} ${path}`),
    `${first.summary}. ${first.description} Rate limit: ${limit} requests in 10 seconds.`,
    parametersOf(first),
    bodyOf(methods),
    isPublic(first) ? 'Responses:' : `Responses, in addition to the ${COMMON}:`,
    responsesOf(first, isPublic(first) ? new Set() : common),
    answerOf(first, schemas),
    block('bash', exampleOf(operation, base)),
  ]);
}

function overview(operations: readonly NamedOperation[]): string {
  const rows = operations.map(({ name, path, methods, first }) => [
    `[${code(name)}](#${name})`,
    code(`${[...methods.keys()].join(' or ')} ${path}`),
    first.summary,
    first['x-rate-limit'].requestsPer10Seconds.toLocaleString('en'),
  ]);
  return table(['operation', 'request', 'effect', 'requests in 10 s'], rows);
}

/** Returns the page of an interface. */
export function httpPage({ title, file, base, guide, document }: HttpPage): string {
  const { info, servers, components } = document;
  const operations = operationsIn(document);
  const common = commonErrors(operations);
  const parts = { base, common: new Set(common.map(String)), schemas: components.schemas };
  const hasUsers = operations.some(({ first }) => isForUsers(first));
  const byStatus = Map.groupBy(common, ([status]) => status);
  const schemas = Object.entries(components.schemas).map(([name, schema]) =>
    schemaSection(name, schema, components.schemas),
  );
  return pageOf(title, 'generate', [
    `${info.description} ${guide}`,
    `This page shows the [OpenAPI document](openapi/${file}), which the interface also serves at \`/openapi.json\`.`,
    '## Addresses',
    table(
      ['base address', 'where'],
      servers.map(({ url, description }) => [code(url), description]),
    ),
    `In the examples, \`${base}\` is the base address, and \`API_KEY\` an API key.${hasUsers ? ' `ACCESS_TOKEN` is the access token of a user of the console.' : ''}`,
    '## Authentication',
    Object.values(components.securitySchemes)
      .map(({ description }) => `- ${description}`)
      .join('\n'),
    '## Operations',
    overview(operations),
    '## Errors of all operations',
    `The body is an ${typeOf({ $ref: '#/components/schemas/Error' })}. [Errors](errors.md#responses) has the cause and the remedy of each code.`,
    table(
      ['status', 'codes'],
      [...byStatus].map(([status, those]) => [status, those.map(([, errorCode]) => code(errorCode)).join(', ')]),
    ),
    '## Requests and responses',
    'A rate limit is the number of requests that are never refused, for each operation of each endpoint. Refused requests get 429 with `Retry-After`.',
    ...operations.map((operation) => sectionOf(operation, parts)),
    '## Objects',
    'A required field of a request must be sent. A required field of a response is always present.',
    ...schemas,
  ]);
}
