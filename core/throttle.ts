/**
 * The hidden API Gateway keys that carry the rate limits. One per endpoint, so that limits are per endpoint and
 * operation whoever calls; the authorizer names the key, clients never see it, and it opens nothing by itself.
 */
import { createHash } from 'node:crypto';
import { jobRoutes, managementRoutes, type Operation, type RouteLimit } from './routes.ts';

/** Buckets that are no endpoint's: `*` cannot occur in an endpoint id. */
export const sharedBuckets = { unknownEndpoint: '*unknown', management: '*management' } as const;

/**
 * The value of a bucket's hidden key: 64 hexadecimal characters, derived so that stacks and authorizer agree on it.
 * @param scope tells deployments of one account apart: the name of the platform stack.
 */
export function throttleKey(scope: string, bucket: string): string {
  return createHash('sha256').update(`${scope}/${bucket}`).digest('hex');
}

const limits: Readonly<Record<Operation, { readonly limit: RouteLimit }>> = { ...jobRoutes, ...managementRoutes };

/** After how many whole seconds an empty bucket of the operation holds a token again. */
export const refillTime = (operation: Operation): number => Math.ceil(10 / limits[operation].limit.per10Seconds);
