import type { WireRequest } from '../../../bin/verify/wire.ts';
import { type Given, malformed, type Row, refusedAs, refusedAtEdge } from './row.ts';

const noJob = refusedAs(404, 'JOB_NOT_FOUND');
const noRoute = refusedAs(404, 'ROUTE_NOT_FOUND');
/** Refusal by API Gateway when it reads the `Authorization` header as a signature. */
const refused = refusedAs(403, 'REQUEST_REFUSED');
const noEndpoint = refusedAs(404, 'ENDPOINT_NOT_FOUND');

const LONG = 'x'.repeat(5_000);

/** Ids of jobs that do not exist. `J` stands for the id of a job that exists. */
const strangers: readonly [id: string, expected: Pick<Row, 'status' | 'code'>][] = [
  ['unknown', noJob],
  ['.', noJob],
  ['..', noJob],
  ['...', noJob],
  ['%2e%2e', noJob],
  ['%2f', noJob],
  ['%5c', noJob],
  ['..%2fJ', noJob],
  ['%2E%2E%2FJ', noJob],
  ['a%00b', noJob],
  ['J%00', noJob],
  ['J%0a', noJob],
  ['J%20', noJob],
  ['%20J', noJob],
  ['J.', noJob],
  ['J,J', noJob],
  ['J;jsessionid=1', noJob],
  ['J%3Fx=1', noJob],
  ['J%23', noJob],
  ['J*', noJob],
  ['*', noJob],
  ["'%20OR%201=1", noJob],
  ['{}', noJob],
  ['{job}', noJob],
  ['[object%20Object]', noJob],
  ['null', noJob],
  ['undefined', noJob],
  ['__proto__', noJob],
  ['constructor', noJob],
  ['-1', noJob],
  ['0', noJob],
  ['sync-J', noJob],
  ['J#', noJob],
  ['%F0%9F%98%80', noJob],
  ['%EF%BC%91', noJob],
  [LONG, noJob],
  ['%zz', malformed],
  ['%', malformed],
  ['%ff', malformed],
  ['%c0%ae', malformed],
  ['', noRoute],
  ['/', noRoute],
  ['J/', noRoute],
  ['/J', noRoute],
  ['J/J', noRoute],
  ['a/b', noRoute],
  ['J/../J', noRoute],
  ['..;/J', noRoute],
  ['./J', noRoute],
];

const operations = [
  ['GET', 'status'],
  ['GET', 'stream'],
] as const;

const jobRows = operations.flatMap(([method, operation]) =>
  strangers.map(
    ([id, expected]): Row => ({
      name: `${method} ${operation}/${id.slice(0, 30)}`,
      request: ({ endpoint, job }) => ({ method, path: `/${endpoint}/${operation}/${id.replaceAll('J', job)}` }),
      ...expected,
    }),
  ),
);

/** Names of endpoints that do not exist. */
const endpoints: readonly [id: string, expected: Pick<Row, 'status' | 'code'>][] = [
  ['nowhere', noEndpoint],
  ['ECHO', noEndpoint],
  ['echo%20', noEndpoint],
  ['echo%00', noEndpoint],
  ['echo%23', noEndpoint],
  ['%2a', noEndpoint],
  ['*unknown', noEndpoint],
  ['*management', noEndpoint],
  // CloudFront selects a behavior by the decoded path, which is below neither base address.
  ['..', noRoute],
  ['..%2fecho', noEndpoint],
  ['{endpoint}', noEndpoint],
  ['claim:x', noEndpoint],
  ['__proto__', noEndpoint],
  [LONG, noEndpoint],
  ['%zz', malformed],
  ['', refused],
  ['/echo', refused],
  ['echo/', noRoute],
];

const endpointRows = endpoints.flatMap(([id, expected]): Row[] => [
  { name: `health of /${id.slice(0, 30)}`, request: () => ({ method: 'GET', path: `/${id}/health` }), ...expected },
  {
    name: `status of a job at /${id.slice(0, 30)}`,
    request: ({ job }) => ({ method: 'GET', path: `/${id}/status/${job}` }),
    ...expected,
  },
  {
    name: `run at /${id.slice(0, 30)}`,
    request: () => ({ method: 'POST', path: `/${id}/run`, body: '{"input":{}}' }),
    ...expected,
  },
]);

const request = (
  name: string,
  expected: Pick<Row, 'status' | 'code' | 'atEdge'>,
  wanted: (given: Given) => WireRequest,
): Row => ({
  name,
  request: wanted,
  ...expected,
});

const methods = ['PUT', 'DELETE', 'PATCH', 'OPTIONS'];
/** Methods that CloudFront does not support. */
const otherMethods = ['TRACE', 'PROPFIND'];

export const ids: readonly Row[] = [
  ...jobRows,
  ...endpointRows,
  ...methods.map((method) =>
    request(`${method} health`, noRoute, ({ endpoint }) => ({ method, path: `/${endpoint}/health` })),
  ),
  ...otherMethods.map((method) =>
    request(`${method} health`, refusedAtEdge, ({ endpoint }) => ({ method, path: `/${endpoint}/health` })),
  ),
  request('HEAD health', { status: 405 }, ({ endpoint }) => ({ method: 'HEAD', path: `/${endpoint}/health` })),
  request('HEAD run', noRoute, ({ endpoint }) => ({ method: 'HEAD', path: `/${endpoint}/run` })),
  request('POST health', noRoute, ({ endpoint }) => ({ method: 'POST', path: `/${endpoint}/health` })),
  request('GET run', noRoute, ({ endpoint }) => ({ method: 'GET', path: `/${endpoint}/run` })),
  request('GET cancel', noRoute, ({ endpoint, job }) => ({ method: 'GET', path: `/${endpoint}/cancel/${job}` })),
  request('GET Health', noRoute, ({ endpoint }) => ({ method: 'GET', path: `/${endpoint}/Health` })),
  request('GET health/', noRoute, ({ endpoint }) => ({ method: 'GET', path: `/${endpoint}/health/` })),
  request('GET //health', noRoute, ({ endpoint }) => ({ method: 'GET', path: `/${endpoint}//health` })),
  request('GET health%2f', noRoute, ({ endpoint }) => ({ method: 'GET', path: `/${endpoint}/health%2f` })),
  request('GET /', noRoute, () => ({ method: 'GET', path: '/' })),
  request('GET the base address', noRoute, () => ({ method: 'GET', path: '' })),
  request('GET an endpoint', noRoute, ({ endpoint }) => ({ method: 'GET', path: `/${endpoint}` })),
  request('GET a path of 30 segments', noRoute, ({ endpoint }) => ({ method: 'GET', path: `/${endpoint}`.repeat(30) })),
  request('a method that a header tries to override', noRoute, ({ endpoint, key }) => ({
    method: 'POST',
    path: `/${endpoint}/health?_method=GET`,
    headers: [
      ['Authorization', key],
      ['X-HTTP-Method-Override', 'GET'],
    ],
  })),
  request('GET health with a body', refusedAtEdge, ({ endpoint }) => ({
    method: 'GET',
    path: `/${endpoint}/health`,
    body: '{"a":1}',
  })),
  request('GET health with a query', { status: 200 }, ({ endpoint }) => ({
    method: 'GET',
    path: `/${endpoint}/health?a=%00&a=b&__proto__=1&%zz`,
  })),
  request('GET status with a query', { status: 200 }, ({ endpoint, job }) => ({
    method: 'GET',
    path: `/${endpoint}/status/${job}?x=1`,
  })),
  request('runsync with an invalid wait', malformed, ({ endpoint }) => ({
    method: 'POST',
    path: `/${endpoint}/runsync?wait=1e3`,
    body: '{"input":{}}',
  })),
];
