/**
 * Hidden API Gateway keys for rate limits. There is one per endpoint, so that limits are per endpoint and operation for
 * all callers together. The authorizer names the key, clients never see it, and it authorizes nothing.
 */
import { createHash } from 'node:crypto';
import { RATE_WINDOW, SECOND } from '../limits.ts';
import { type CallerKind, type Operation, type RouteLimit, routeOf } from '../routes.ts';

/** Buckets of several endpoints: `*` cannot occur in an endpoint id. */
export const sharedBuckets = { unknownEndpoint: '*unknown', management: '*management' } as const;

/** The bucket of all users of the console, in a separate usage plan: open pages never use up a client's limits. */
export const consoleBucket = '*console';

/**
 * Returns a bucket's hidden key: 64 hexadecimal characters, which stacks and the authorizer derive in the same way.
 * @param scope differs between deployments of one account: the name of the platform stack.
 */
export function throttleKey(scope: string, bucket: string): string {
  return createHash('sha256').update(`${scope}/${bucket}`).digest('hex');
}

/** Reads that the pages of all users may make in 10 seconds at least, of each operation. */
const CONSOLE_READS = 100;

/**
 * Returns the limit of a route for users of the console, for all endpoints together. Pages poll operations that
 * programs rarely call; operations that change something have the route's own limit.
 */
export function consoleLimitOf(limit: RouteLimit, reads: boolean): RouteLimit {
  return reads ? { ...limit, per10Seconds: Math.max(limit.per10Seconds, CONSOLE_READS) } : limit;
}

/** The rate limit of an operation for a kind of callers. */
export function limitFor(kind: CallerKind, operation: Operation): RouteLimit {
  const { limit, methods } = routeOf(operation);
  return kind === 'user' ? consoleLimitOf(limit, methods.includes('GET')) : limit;
}

/** Returns the whole seconds after which a throttled request is admitted: exact limits end with their window. */
export function retryTime(operation: Operation, kind: CallerKind = 'key'): number {
  const { per10Seconds, exact } = limitFor(kind, operation);
  const window = RATE_WINDOW / SECOND;
  return exact ? window : Math.ceil(window / per10Seconds);
}
