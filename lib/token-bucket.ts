import type { RouteLimit } from '../core/routes.ts';

/** A token bucket that holds what the contract allows in 10 seconds, and refills in that time. */
export const bucketOf = ({ per10Seconds }: RouteLimit) => ({
  rateLimit: per10Seconds / 10,
  burstLimit: per10Seconds,
});
