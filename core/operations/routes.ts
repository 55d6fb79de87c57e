/** The routes of the two interfaces, and what follows from them. */

import { type Route, type RouteLimit, type TemplateScope, templateScopes } from './route.ts';
import { jobRoutes, managementRoutes } from './table.ts';

export type { Route, RouteLimit, TemplateScope };
export { jobRoutes, managementRoutes, templateScopes };

/**
 * Media types of binary request bodies, such as files of OpenAI's clients. API Gateway reads all other bodies as
 * UTF-8.
 */
export const binaryBodies = ['multipart/form-data', 'application/octet-stream'] as const;

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

/** Kinds of callers, which have separate rate limits. */
export const callerKinds = ['key', 'user'] as const;
export type CallerKind = (typeof callerKinds)[number];
