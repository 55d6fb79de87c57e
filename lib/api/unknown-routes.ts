/**
 * Answers requests for paths and methods that an interface does not have with 404 `ROUTE_NOT_FOUND`. API Gateway
 * creates the response, without a function or a key.
 *
 * Without the `ANY` methods of this file, API Gateway would treat the `Authorization` header of these requests as an
 * AWS signature. It would answer 403 and repeat the header in the response.
 */
import {
  AuthorizationType,
  ContentHandling,
  type IRestApi,
  type Method,
  MockIntegration,
  PassthroughBehavior,
} from 'aws-cdk-lib/aws-apigateway';
import { baseHeaders, corsHeaders } from '../../core/http/respond.ts';
import { type Route, unknownRouteLimit } from '../../core/operations/routes.ts';
import { noRouteBody } from './gateway-responses.ts';
import { bucketOf } from './rate-limits.ts';

/**
 * Content types of request bodies. API Gateway has no wildcard for content types: a request of another type gets 415.
 */
const mediaTypes = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/octet-stream',
  'application/xml',
  'application/x-ndjson',
  'text/plain',
  'text/html',
  'text/xml',
  'text/csv',
];

/** Matches a path parameter, such as `{endpoint}`. */
const isVariable = (segment: string | undefined) => segment?.startsWith('{') ?? false;

/**
 * Returns every path of an interface with its parents, and a catch-all path. The catch-all path is below the
 * parameters with which the interface begins, because a resource can have only one variable child.
 */
export function catchAllPaths(routes: readonly Pick<Route, 'path'>[]): string[] {
  const split = routes.map(({ path }) => path.split('/').slice(1));
  const known = split.flatMap((segments) => segments.map((_, n) => segments.slice(0, n + 1)));
  const leading = known.filter((segments) => segments.every(isVariable));
  const deepest = leading.toSorted((a, b) => b.length - a.length)[0] ?? [];
  const paths = [[], ...known, [...deepest, '{proxy+}']].map((segments) => `/${segments.join('/')}`);
  return [...new Set(paths)];
}

/**
 * Returns the limits of the stage for the `ANY` methods, by their names in API Gateway. These methods require no key,
 * so no usage plan limits them.
 */
export function catchAllLimits(routes: readonly Pick<Route, 'path'>[]) {
  const { rateLimit, burstLimit } = bucketOf(unknownRouteLimit);
  const limit = { throttlingRateLimit: rateLimit, throttlingBurstLimit: burstLimit };
  return Object.fromEntries(catchAllPaths(routes).map((path) => [`${path}/ANY`, limit]));
}

/** Adds an `ANY` method to each path of `catchAllPaths`. Methods of routes take precedence over `ANY`. */
export function addCatchAlls(
  { root }: IRestApi,
  routes: readonly Pick<Route, 'path'>[],
  corsOrigin: string | undefined,
): Method[] {
  const headers = Object.entries({ ...baseHeaders, ...(corsOrigin && corsHeaders(corsOrigin)) });
  const mapped = headers.map(([name, value]) => [`method.response.header.${name}`, `'${value}'`] as const);
  const integration = new MockIntegration({
    requestTemplates: Object.fromEntries(mediaTypes.map((type) => [type, '{"statusCode":404}'])),
    passthroughBehavior: PassthroughBehavior.NEVER,
    // Templates apply to text, and an API can have binary media types.
    contentHandling: ContentHandling.CONVERT_TO_TEXT,
    integrationResponses: [
      {
        statusCode: '404',
        responseTemplates: { 'application/json': noRouteBody },
        responseParameters: Object.fromEntries(mapped),
      },
    ],
  });
  const responseParameters = Object.fromEntries(mapped.map(([parameter]) => [parameter, true]));
  return catchAllPaths(routes).map((path) =>
    (path === '/' ? root : root.resourceForPath(path)).addMethod('ANY', integration, {
      authorizationType: AuthorizationType.NONE,
      methodResponses: [{ statusCode: '404', responseParameters }],
    }),
  );
}
