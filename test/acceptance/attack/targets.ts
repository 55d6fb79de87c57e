/**
 * Generates methods, paths and queries: of routes, of other endpoints and jobs, and of resources that do not
 * exist.
 */
import fc from 'fast-check';
import {
  jobRoutes,
  managementRoutes,
  type Operation,
  openapiRoute,
  type Route,
  stages,
} from '../../../core/operations/routes.ts';
import { cursorOf } from '../../../core/status/requests.ts';
import { ECHO, OWN, QUIET, ROLLED_BACK, VICTIM } from './endpoints.ts';

export interface Target {
  /** Operation of the route, if the target uses one. */
  readonly operation?: Operation | 'openapi';
  readonly method: string;
  /** Path and query. A token such as `{victim:3}` stands for the id of that job or template. */
  readonly path: string;
}

/**
 * Relative number of calls of operations, `USUAL` for those that are not listed. It is smaller for an operation with a
 * small rate limit.
 */
const weightsOf: Readonly<Partial<Record<Operation | 'openapi', number>>> = {
  run: 40,
  runsync: 20,
  status: 36,
  input: 12,
  'status-sync': 12,
  stream: 22,
  logs: 10,
  cancel: 12,
  retry: 14,
  'purge-queue': 1,
  requests: 4,
  webhooks: 4,
  resend: 8,
  health: 18,
  endpoints: 5,
  'read-endpoint': 8,
  'endpoint-logs': 5,
  'create-template': 18,
  'list-templates': 8,
  'read-template': 12,
  'remove-template': 7,
  'update-template': 14,
  releases: 8,
  rollback: 6,
  resume: 3,
  'list-keys': 4,
  'create-key': 6,
  'revoke-key': 4,
  workers: 8,
  'find-job': 8,
  'list-jobs': 6,
  failures: 5,
  'ended-workers': 5,
  series: 5,
  costs: 5,
  metrics: 5,
  'list-alarms': 4,
  events: 5,
  session: 2,
  openapi: 3,
  openai: 10,
};

const routes = { ...jobRoutes, ...managementRoutes, openapi: openapiRoute } satisfies Record<string, Route>;
const USUAL = 8;

const isOfManagement = (operation: string) => operation in managementRoutes;

const WELL_FORMED_JOBS = ['0'.repeat(36), 'z'.repeat(36), `sync-${'0'.repeat(36)}`, `0${'a'.repeat(35)}`];

/** Path segments that servers, proxies and stores interpret differently. */
const oddSegments = [
  '',
  '.',
  '..',
  '...',
  '%2e%2e',
  `%2e%2e%2f${VICTIM}`,
  `..%2f${VICTIM}`,
  `${OWN[0]}%2f..%2f${VICTIM}`,
  `${OWN[0]}/../${VICTIM}`,
  `${OWN[0]}//`,
  `${OWN[0]},${VICTIM}`,
  `${OWN[0]};${VICTIM}`,
  `${OWN[0]}%23${VICTIM}`,
  `${OWN[0]}%00`,
  `${OWN[0]}%20`,
  `${OWN[0]}?`,
  `${OWN[0]}%23`,
  `${VICTIM}%230`,
  `${ECHO}%23volume`,
  'OWN-0',
  'claim:x',
  '%00',
  '%zz',
  '%',
  '%f',
  '*',
  '%2A',
  '*unknown',
  '*management',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'undefined',
  'null',
  'NaN',
  '%c0%af',
  '%ff',
  '%ED%A0%80',
  '%F0%9F%98%80',
  '%e2%80%ae',
  '%5c..%5c',
  '%0d%0aX-Injected:%201',
  '{endpoint}',
  '{proxy+}',
  '%7B%7Bsecrets:HF_TOKEN%7D%7D',
  '$context.requestId',
  '$%7Bjndi:ldap://127.0.0.1/x%7D',
  "'%20OR%20'1'='1",
  '%3Cscript%3E',
  'a'.repeat(63),
  'a'.repeat(64),
  'a'.repeat(2_000),
  '-',
  '9'.repeat(40),
  '-1',
  ...WELL_FORMED_JOBS,
];

const SEGMENT_LENGTH = 40;
const odd = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...oddSegments) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: SEGMENT_LENGTH }).map(percentEncoded) },
);

function percentEncoded(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%BF%BF';
}

/**
 * Number of jobs that the test creates on each endpoint that the attacker's keys may call. Higher numbers wrap
 * around.
 */
const PLANTED = 24;
const planted = (pool: string) => fc.nat(PLANTED - 1).map((n) => `{${pool}:${n}}`);
const own = fc.constantFrom(...OWN);

interface Place {
  readonly endpoint: string;
  readonly job: string;
}

const place: fc.Arbitrary<Place> = fc.oneof(
  { weight: 24, arbitrary: own.chain((endpoint) => planted(endpoint).map((job) => ({ endpoint, job }))) },
  { weight: 5, arbitrary: planted(ECHO).map((job) => ({ endpoint: ECHO, job })) },
  { weight: 3, arbitrary: fc.record({ endpoint: own, job: planted(VICTIM) }) },
  { weight: 3, arbitrary: planted(VICTIM).map((job) => ({ endpoint: VICTIM, job })) },
  { weight: 1, arbitrary: odd.map((job) => ({ endpoint: QUIET, job })) },
  { weight: 4, arbitrary: fc.record({ endpoint: own, job: odd }) },
  { weight: 2, arbitrary: fc.record({ endpoint: odd, job: planted(OWN[0]) }) },
);

const template = fc.oneof(
  { weight: 6, arbitrary: planted('templates') },
  { weight: 2, arbitrary: fc.constantFrom('{foreign:0}', 'echo', `endpoint-${VICTIM}`, `endpoint-${OWN[0]}`) },
  { weight: 2, arbitrary: odd },
);

const cursors = [
  cursorOf(OWN[0], '0'.repeat(36)),
  cursorOf(OWN[0], `0${'z'.repeat(35)}`),
  cursorOf(VICTIM, `0${'z'.repeat(35)}`),
];
const parameters: Readonly<Record<string, readonly string[]>> = {
  ttl: ['1000', '10000', '1800000', '0', '-1'],
  from: ['0', '1', '2', '9999999999', '99999999999'],
  limit: ['1', '10', '100', '0', '101'],
  cursor: cursors,
  status: ['COMPLETED', 'FAILED', 'COMPLETED,FAILED', 'completed', ','],
  category: ['NVIDIA', 'CPU', 'x'],
  isPublic: ['true', 'false', '1'],
  isServerless: ['true', 'false', 'TRUE'],
  since: ['2026-01-01', '2026-01-01T00:00Z', '2026-02-31', '1'],
  source: ['worker', 'agent', 'ingress'],
  worker: ['a'.repeat(32), 'a'],
  completion: ['1', '0', 'x'],
  endpoint: [OWN[0], VICTIM, 'x%20y'],
  job: ['0'.repeat(36), 'x'],
  error: ['0'.repeat(12), 'x'],
  key: ['0'.repeat(12), 'x'],
  release: ['1', '0', 'x'],
  until: ['2030-01-01', '2026-01-01', 'x'],
};
const oddValues = [
  '',
  '%00',
  '%zz',
  '%ff',
  '%ED%A0%80',
  '1e3',
  '0x10',
  '1.5',
  '%205',
  '+5',
  '-0',
  'NaN',
  'Infinity',
  'null',
  'true',
  '[]',
  '{}',
  '__proto__',
  '%F0%9F%98%80',
  '9'.repeat(15),
  '9'.repeat(400),
  'x'.repeat(4_000),
  "'%20OR%20'1'='1",
];
const oddNames = ['__proto__', 'constructor', 'toString', '', '%00', 'a%5B%5D', 'LIMIT', 'x'.repeat(500)];
/** Forms of a name that some servers parse as a list. */
const forms = [(name: string) => `${name}[]`, (name: string) => `${name}[0]`, (name: string) => `${name}%5B%5D`];

const parameter = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .constantFrom(...Object.entries(parameters))
      .chain(([name, values]) => fc.constantFrom(...values).map((value) => `${name}=${value}`)),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...Object.keys(parameters), 'wait', ...oddNames), fc.constantFrom(...oddValues))
      .map(([name, value]) => `${name}=${value}`),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...Object.keys(parameters)), fc.constantFrom(...forms), fc.constantFrom(...oddValues))
      .map(([name, form, value]) => `${form(name)}=${value}`),
  },
  { weight: 1, arbitrary: fc.constantFrom('&&&', '=', '?', '%', 'wait', 'limit', '+', ';', 'limit;cursor') },
);

/** Values of `wait`. They are short, because a long wait would look like a hanging request. */
const wait = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('1000', '1001', '1500') },
  { weight: 1, arbitrary: fc.constantFrom('999', '300001', '1e3', '', 'x', '-1', '1000&wait=1000') },
);

const MAY_WAIT: readonly string[] = ['runsync', 'status-sync', 'stream'];

function queryOf(operation: string): fc.Arbitrary<string> {
  const some = fc.oneof(
    { weight: 3, arbitrary: fc.constant<string[]>([]) },
    { weight: 2, arbitrary: fc.array(parameter, { minLength: 1, maxLength: 4 }) },
  );
  const waits = MAY_WAIT.includes(operation) ? wait.map((value) => [`wait=${value}`]) : fc.constant<string[]>([]);
  return fc
    .tuple(waits, some)
    .map(([first, rest]) => [...first, ...rest].join('&'))
    .map((query) => (query === '' ? '' : `?${query}`));
}

const oddMethods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];

const methodOf = ({ methods }: Route): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...methods) },
    { weight: 1, arbitrary: fc.constantFrom(...oddMethods) },
  );

/**
 * Paths of an endpoint whose workers answer immediately, or of endpoints that the caller may not call. Other
 * endpoints let a call wait for 10 minutes.
 */
const openAiPath: fc.Arbitrary<string> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(`/${stages.jobs}/${ECHO}/openai/v1/chat/completions`) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.oneof({ weight: 4, arbitrary: fc.constantFrom(ECHO, VICTIM) }, { weight: 3, arbitrary: odd }),
        fc.array(fc.oneof(fc.constantFrom('v1', 'models', 'chat', 'completions'), odd), { minLength: 1, maxLength: 4 }),
      )
      .map(([endpoint, segments]) => `/${stages.jobs}/${endpoint}/openai/${segments.join('/')}`),
  },
);

function pathOf(operation: Operation | 'openapi'): fc.Arbitrary<string> {
  if (operation === 'openai') return openAiPath;
  const stage = isOfManagement(operation) ? stages.management : stages.jobs;
  const base = `/${stage}${routes[operation].path}`;
  // The attacker may roll back only this endpoint, so half of the calls name it.
  const possible = { endpoint: ROLLED_BACK, job: '' };
  const places = operation === 'rollback' ? fc.oneof(fc.constant(possible), place) : place;
  return fc.tuple(places, template).map(([{ endpoint, job }, id]) =>
    base
      .replace('{endpoint}', () => endpoint)
      .replace('{job}', () => job)
      .replace('{template}', () => id)
      .replace('{key}', () => id),
  );
}

const operations = Object.keys(routes) as (Operation | 'openapi')[];

const routed: fc.Arbitrary<Target>[] = operations.map((operation) =>
  fc
    .record({ method: methodOf(routes[operation]), path: pathOf(operation), query: queryOf(operation) })
    .map(({ method, path, query }) => ({ operation, method, path: path + query })),
);

const unrouted = [
  '/',
  '/v1',
  '/v2',
  '/v2/',
  '/v3/health',
  '//v2//own-0//health',
  '/v2/own-0/health/',
  '/v2/own-0/HEALTH',
  '/V2/own-0/health',
  '/v2/own-0/run/run',
  '/v2/own-0/status',
  '/v2/own-0/unknown',
  `/v2/../v2/${VICTIM}/health`,
  `/v1/../v2/${VICTIM}/health`,
  `/v2/${OWN[0]}/../${VICTIM}/health`,
  `/v2/${OWN[0]}/%2e%2e/${VICTIM}/health`,
  '/v1/templates/',
  '/v1/templates/x/y/z',
  '/.env',
  '/_health',
  '/latest/meta-data/',
  '/2015-03-31/functions/JobsRun/invocations',
  `/v2/${'a/'.repeat(500)}`,
  `/${'a'.repeat(4_000)}`,
  `http://127.0.0.1/v2/${OWN[0]}/health`,
  `http://${VICTIM}/v2/${VICTIM}/health`,
  '/?',
  '/?x',
];

const elsewhere: fc.Arbitrary<Target> = fc.record({
  method: fc.constantFrom(...oddMethods),
  path: fc.constantFrom(...unrouted),
});

export const target: fc.Arbitrary<Target> = fc.oneof(
  ...operations.map((operation, n) => ({
    weight: weightsOf[operation] ?? USUAL,
    arbitrary: routed[n] as fc.Arbitrary<Target>,
  })),
  { weight: 8, arbitrary: elsewhere },
);
