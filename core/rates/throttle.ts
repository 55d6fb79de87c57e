/**
 * Hidden API Gateway keys for rate limits. Each endpoint has one key, so all callers share the limits per endpoint
 * and operation. The authorizer returns the key to API Gateway. Clients never see it, and it does not authorize
 * calls.
 */
import { createHash } from 'node:crypto';
import { RATE_WINDOW, SECOND } from '../limits.ts';
import { type CallerKind, type Operation, type RouteLimit, routeOf } from '../operations/routes.ts';

/** Shared buckets. An endpoint id cannot contain `*`. */
export const sharedBuckets = { unknownEndpoint: '*unknown', management: '*management' } as const;

/**
 * The bucket of all users of the console, in a separate usage plan, so that open pages never consume clients'
 * limits.
 */
export const consoleBucket = '*console';

/**
 * Returns a bucket's hidden key: 64 hexadecimal characters, which stacks and the authorizer derive in the same
 * way.
 * @param scope name of the platform stack, which differs between deployments of one account
 */
export function throttleKey(scope: string, bucket: string): string {
  return createHash('sha256').update(`${scope}/${bucket}`).digest('hex');
}

/** Minimum limit of each read operation for the pages of all users in total, per 10 seconds. */
const CONSOLE_READS = 100;

/**
 * Returns the limit of a route for users of the console, for all endpoints in total. Pages poll operations that
 * programs rarely call, so a low limit of reads is raised, and the number of concurrent reads in proportion. Write
 * operations have the route's own limit.
 */
export function consoleLimitOf(limit: RouteLimit, reads: boolean): RouteLimit {
  if (!reads || limit.per10Seconds >= CONSOLE_READS) return limit;
  const raised = { ...limit, per10Seconds: CONSOLE_READS };
  if (limit.concurrent === undefined) return raised;
  return { ...raised, concurrent: Math.ceil((limit.concurrent * CONSOLE_READS) / limit.per10Seconds) };
}

/** Returns the rate limit of an operation for a kind of callers. */
export function limitFor(kind: CallerKind, operation: Operation): RouteLimit {
  const { limit, methods } = routeOf(operation);
  return kind === 'user' ? consoleLimitOf(limit, methods.includes('GET')) : limit;
}

/**
 * Returns the sentence of a refusal that names the limit.
 * @param bucket the bucket that the request counts against: an endpoint, or a shared bucket
 */
export function limitSentence(bucket: string, operation: Operation, kind: CallerKind = 'key'): string {
  const { per10Seconds } = limitFor(kind, operation);
  const limit = `${per10Seconds} \`${operation}\` requests per ${RATE_WINDOW / SECOND} seconds`;
  if (bucket === consoleBucket) return `All users of the console share a limit of ${limit}.`;
  if (bucket === sharedBuckets.management) return `All callers share a limit of ${limit}.`;
  if (bucket === sharedBuckets.unknownEndpoint) return `All endpoints that do not exist share a limit of ${limit}.`;
  return `Endpoint \`${bucket}\` allows ${limit}.`;
}

/**
 * Returns the whole number of seconds after which a throttled request is admitted. An exact limit resets with its
 * window.
 */
export function retryTime(operation: Operation, kind: CallerKind = 'key'): number {
  const { per10Seconds, exact } = limitFor(kind, operation);
  const window = RATE_WINDOW / SECOND;
  return exact ? window : Math.ceil(window / per10Seconds);
}
