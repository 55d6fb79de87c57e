/**
 * The hidden API Gateway keys that carry the rate limits. One per endpoint, so that limits are per endpoint and
 * operation whoever calls; the authorizer names the key, clients never see it, and it opens nothing by itself.
 */
import { createHash } from 'node:crypto';
import { RATE_WINDOW, SECOND } from '../limits.ts';
import { type CallerKind, type Operation, type RouteLimit, routeOf } from '../routes.ts';

/** Buckets that are no endpoint's: `*` cannot occur in an endpoint id. */
export const sharedBuckets = { unknownEndpoint: '*unknown', management: '*management' } as const;

/** The bucket of all users of the console together, in a usage plan of its own: open pages never use up a client's limits. */
export const consoleBucket = '*console';

/**
 * The value of a bucket's hidden key: 64 hexadecimal characters, derived so that stacks and authorizer agree on it.
 * @param scope tells deployments of one account apart: the name of the platform stack.
 */
export function throttleKey(scope: string, bucket: string): string {
  return createHash('sha256').update(`${scope}/${bucket}`).digest('hex');
}

/** Reads that the pages of all users may make in 10 seconds at least, of each operation. */
const CONSOLE_READS = 100;

/**
 * Returns the limit of a route for users of the console, all endpoints together. Pages poll what programs rarely ask for; what
 * changes something has the route's own limit.
 */
export function consoleLimitOf(limit: RouteLimit, reads: boolean): RouteLimit {
  return reads ? { ...limit, per10Seconds: Math.max(limit.per10Seconds, CONSOLE_READS) } : limit;
}

/** The rate limit of an operation for a kind of callers. */
export function limitFor(kind: CallerKind, operation: Operation): RouteLimit {
  const { limit, methods } = routeOf(operation);
  return kind === 'user' ? consoleLimitOf(limit, methods.includes('GET')) : limit;
}

/** Whole seconds after which a request that its bucket has refused is admitted: exact limits end with their window. */
export function retryTime(operation: Operation, kind: CallerKind = 'key'): number {
  const { per10Seconds, exact } = limitFor(kind, operation);
  const window = RATE_WINDOW / SECOND;
  return exact ? window : Math.ceil(window / per10Seconds);
}
