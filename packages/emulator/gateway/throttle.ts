/** API Gateway's rate limits: token buckets. */

export interface Limit {
  /** Tokens added per second. */
  readonly rate: number;
  /** Capacity of the bucket, which is full at the start. */
  readonly burst: number;
}

export interface Throttle {
  /** Takes a token from the bucket, and returns whether there was one. Creates the bucket at its first use. */
  admits(bucket: string, limit: Limit): boolean;
}

/** Units of one token. A millisecond adds `rate` units, so sums are whole numbers and do not drift. */
const TOKEN = 1000;

/**
 * Creates the buckets.
 * @param now monotonic clock in milliseconds
 */
export function createThrottle(now: () => number = () => performance.now()): Throttle {
  const buckets = new Map<string, { content: number; at: number }>();
  return {
    admits(name, { rate, burst }) {
      const at = now();
      const full = burst * TOKEN;
      const { content, at: before } = buckets.get(name) ?? { content: full, at };
      const refilled = Math.min(full, content + (at - before) * rate);
      const admitted = refilled >= TOKEN;
      buckets.set(name, { content: admitted ? refilled - TOKEN : refilled, at });
      return admitted;
    },
  };
}
