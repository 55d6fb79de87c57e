/**
 * The routes of the two interfaces and their limits, as data. The stacks build API Gateway from this table, the
 * authorizer finds operations in it, and tests compare both with the deployed routes.
 */

/** A rate limit per endpoint and operation (docs/explanation/limits.md). */
export interface RouteLimit {
  /** Number of requests in 10 seconds that are never refused, however they are distributed. */
  readonly per10Seconds: number;
  /**
   * Number of concurrent requests that the contract allows: of requests that wait for a job, and of all requests if the
   * limit is exact. @default - concurrent requests are not counted (docs/explanation/limits.md)
   */
  readonly concurrent?: number;
  /** Whether the handler counts the calls, so that no window of 10 seconds admits more than the limit. */
  readonly exact?: boolean;
}

export interface Route {
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[];
  /**
   * Path below the base address. `{endpoint}`, `{job}`, `{template}` and `{key}` are parameters, and `{path+}`
   * matches all remaining segments.
   */
  readonly path: string;
  readonly limit: RouteLimit;
  /** Whether the response is streamed, without API Gateway's limits of 10 MB and 29 seconds. */
  readonly streamed?: boolean;
  /**
   * Whether CORS allows all headers, because OpenAI's clients send their version and platform in additional
   * headers. @default false
   */
  readonly anyHeader?: boolean;
  /** The scope that a key must have, regardless of its operations. */
  readonly scope?: TemplateScope;
  /**
   * `users`: only users who have signed in to the console, and no API keys. `all`: all keys and users, regardless
   * of their permissions. @default - keys that cover the operation, and users by role
   */
  readonly audience?: 'users' | 'all';
}

/**
 * Job interface, below `{serverless_url}`. The contract does not define the limits of `/input`, `/logs`, `/retry`,
 * `/webhooks` and `/health`.
 */
export const jobRoutes = {
  run: { methods: ['POST'], path: '/{endpoint}/run', limit: { per10Seconds: 1000 } },
  runsync: {
    methods: ['POST'],
    path: '/{endpoint}/runsync',
    limit: { per10Seconds: 2000, concurrent: 400 },
    streamed: true,
  },
  status: {
    methods: ['GET', 'POST'],
    path: '/{endpoint}/status/{job}',
    limit: { per10Seconds: 2000 },
    streamed: true,
  },
  input: { methods: ['GET'], path: '/{endpoint}/input/{job}', limit: { per10Seconds: 100 }, streamed: true },
  'status-sync': {
    methods: ['GET', 'POST'],
    path: '/{endpoint}/status-sync/{job}',
    limit: { per10Seconds: 2000, concurrent: 400 },
    streamed: true,
  },
  stream: {
    methods: ['GET', 'POST'],
    path: '/{endpoint}/stream/{job}',
    limit: { per10Seconds: 2000, concurrent: 400 },
    streamed: true,
  },
  openai: {
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    path: '/{endpoint}/openai/{path+}',
    limit: { per10Seconds: 2000, concurrent: 400 },
    streamed: true,
    anyHeader: true,
  },
  logs: { methods: ['GET'], path: '/{endpoint}/logs/{job}', limit: { per10Seconds: 100 } },
  cancel: {
    methods: ['POST'],
    path: '/{endpoint}/cancel/{job}',
    limit: { per10Seconds: 100, exact: true, concurrent: 20 },
  },
  retry: {
    methods: ['POST'],
    path: '/{endpoint}/retry/{job}',
    limit: { per10Seconds: 100 },
  },
  'purge-queue': { methods: ['POST'], path: '/{endpoint}/purge-queue', limit: { per10Seconds: 2, exact: true } },
  requests: {
    methods: ['GET'],
    path: '/{endpoint}/requests',
    limit: { per10Seconds: 10, exact: true, concurrent: 2 },
  },
  webhooks: { methods: ['GET'], path: '/{endpoint}/webhooks', limit: { per10Seconds: 10 } },
  resend: {
    methods: ['POST'],
    path: '/{endpoint}/webhooks/{job}/resend',
    limit: { per10Seconds: 100 },
  },
  health: { methods: ['GET'], path: '/{endpoint}/health', limit: { per10Seconds: 2000 } },
} as const satisfies Record<string, Route>;

/**
 * Media types of binary request bodies, such as files of OpenAI's clients. API Gateway reads all other bodies as
 * UTF-8.
 */
export const binaryBodies = ['multipart/form-data', 'application/octet-stream'] as const;

/** Limit of each operation on templates, which the contract does not define. */
const ofTemplates: RouteLimit = { per10Seconds: 500 };

/** Limit of each operation on keys, which the contract does not define. */
const ofKeys: RouteLimit = { per10Seconds: 100 };

/** Management interface, below `{base_url}`. The contract does not define its limits. */
export const managementRoutes = {
  endpoints: { methods: ['GET'], path: '/endpoints', limit: { per10Seconds: 100 } },
  'create-template': { methods: ['POST'], path: '/templates', limit: ofTemplates, scope: 'templates:write' },
  'list-templates': { methods: ['GET'], path: '/templates', limit: ofTemplates, scope: 'templates:read' },
  'read-template': { methods: ['GET'], path: '/templates/{template}', limit: ofTemplates, scope: 'templates:read' },
  'remove-template': {
    methods: ['DELETE'],
    path: '/templates/{template}',
    limit: ofTemplates,
    scope: 'templates:write',
  },
  'update-template': {
    methods: ['POST'],
    path: '/templates/{template}/update',
    limit: ofTemplates,
    scope: 'templates:write',
  },
  releases: { methods: ['GET'], path: '/endpoints/{endpoint}/releases', limit: { per10Seconds: 100 } },
  resume: {
    methods: ['POST'],
    path: '/endpoints/{endpoint}/resume',
    limit: { per10Seconds: 10 },
    audience: 'users',
  },
  'list-keys': { methods: ['GET'], path: '/keys', limit: ofKeys, audience: 'users' },
  'create-key': { methods: ['POST'], path: '/keys', limit: ofKeys, audience: 'users' },
  'revoke-key': { methods: ['DELETE'], path: '/keys/{key}', limit: ofKeys, audience: 'users' },
  workers: { methods: ['GET'], path: '/endpoints/{endpoint}/workers', limit: { per10Seconds: 100 } },
  'find-job': { methods: ['GET'], path: '/jobs/{job}', limit: { per10Seconds: 100 } },
  session: { methods: ['GET'], path: '/session', limit: { per10Seconds: 100 }, audience: 'all' },
} as const satisfies Record<string, Route>;

/**
 * Route of the description of each interface, below both base addresses. The description is public and requires no
 * key, so all callers share one limit.
 */
export const openapiRoute = {
  methods: ['GET'],
  path: '/openapi.json',
  limit: { per10Seconds: 100 },
} as const satisfies Route;

/**
 * Route of the job interface that reports whether the ingress is healthy, through the VPC link. The sweeper calls it
 * once a day, because API Gateway deactivates a VPC link without traffic for 60 days. It needs no key, as the sweeper
 * has none. No endpoint can have this id, because ids have no dots.
 */
export const linkRoute = {
  methods: ['GET'],
  path: '/ingress.health',
  limit: { per10Seconds: 10 },
  streamed: true,
} as const satisfies Route;

/** Limit shared by all callers for each path without a function, and for all unknown paths in total. */
export const unknownRouteLimit: RouteLimit = { per10Seconds: 100 };

export type JobOperation = keyof typeof jobRoutes;
export type ManagementOperation = keyof typeof managementRoutes;
export type Operation = JobOperation | ManagementOperation;

export const operations = [...Object.keys(jobRoutes), ...Object.keys(managementRoutes)] as readonly Operation[];

const routes: Readonly<Record<Operation, Route>> = { ...jobRoutes, ...managementRoutes };

/**
 * Returns the scope that a key must have for the operation, or undefined if the key must cover the operation
 * itself.
 */
export const scopeOf = (operation: Operation): TemplateScope | undefined => routes[operation].scope;

/** Returns the rate limit of the operation. */
export const limitOf = (operation: Operation): RouteLimit => routes[operation].limit;

/** Returns the route of the operation. */
export const routeOf = (operation: Operation): Route => routes[operation];

/** Returns whether only users may call the operation, and no API keys. */
export const isForUsers = (operation: Operation): boolean => routes[operation].audience === 'users';

/** Returns whether all keys and all users may call the operation. */
export const isForAll = (operation: Operation): boolean => routes[operation].audience === 'all';

/** Operations that can be granted to a key. */
export const keyOperations: readonly Operation[] = operations.filter(
  (operation) => scopeOf(operation) === undefined && routes[operation].audience === undefined,
);

/** A path parameter such as `{job}`, or `{path+}` for all remaining segments. Matches contain its `name`. */
export const PATH_PARAMETER = /\{(?<name>\w+)(?<greedy>\+?)\}/g;

/**
 * Version segments of the two base addresses. They are API Gateway stages, so the deployed URL is the base
 * address.
 */
export const stages = { jobs: 'v2', management: 'v1' } as const;

/** Methods of each path, in the order of the routes that share the path. */
export function methodsByPath(those: readonly Pick<Route, 'path' | 'methods'>[]) {
  const byPath = [...Map.groupBy(those, ({ path }) => path)];
  return new Map(byPath.map(([path, sharing]) => [path, sharing.flatMap(({ methods }) => methods)]));
}

/**
 * Returns the operation of a method and a resource path in API Gateway's form, or undefined if the path does not
 * have the method. `HEAD` has the operation of `GET`, so a key that may not call `GET` also gets 401 for `HEAD`.
 */
export function operationOf(method: string, path: string): Operation | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  return operations.find((name) => {
    const route = routes[name];
    return route.path === path && route.methods.some((allowed) => allowed === wanted);
  });
}

/** Permissions of keys for templates, independent of their endpoints and operations. */
export const templateScopes = ['templates:read', 'templates:write', 'templates:secrets'] as const;

export type TemplateScope = (typeof templateScopes)[number];

/** Kinds of callers, which have separate rate limits. */
export const callerKinds = ['key', 'user'] as const;
export type CallerKind = (typeof callerKinds)[number];
