import type { RouteLimit } from '../core/routes.ts';

/** A token bucket that refills at the contract's rate and holds as many tokens as requests may run at once. */
export const bucketOf = ({ per10Seconds, concurrent }: RouteLimit) => ({
  rateLimit: per10Seconds / 10,
  burstLimit: concurrent,
});
