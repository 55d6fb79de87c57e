/**
 * The hidden API Gateway keys that carry the rate limits. One per endpoint, so that limits are per endpoint and
 * operation whoever calls; the authorizer names the key, clients never see it, and it opens nothing by itself.
 */
import { createHash } from 'node:crypto';
import { RATE_WINDOW, SECOND } from './limits.ts';
import { limitOf, type Operation } from './routes.ts';

/** Buckets that are no endpoint's: `*` cannot occur in an endpoint id. */
export const sharedBuckets = { unknownEndpoint: '*unknown', management: '*management' } as const;

/**
 * The value of a bucket's hidden key: 64 hexadecimal characters, derived so that stacks and authorizer agree on it.
 * @param scope tells deployments of one account apart: the name of the platform stack.
 */
export function throttleKey(scope: string, bucket: string): string {
  return createHash('sha256').update(`${scope}/${bucket}`).digest('hex');
}

/** Whole seconds after which a request that its bucket has refused is admitted: exact limits end with their window. */
export function retryTime(operation: Operation): number {
  const { per10Seconds, exact } = limitOf(operation);
  const window = RATE_WINDOW / SECOND;
  return exact ? window : Math.ceil(window / per10Seconds);
}
