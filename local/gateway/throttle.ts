/** API Gateway's rate limits: token buckets. */

export interface Limit {
  /** Tokens that come back per second. */
  readonly rate: number;
  /** Tokens that the bucket holds, and has at first. */
  readonly burst: number;
}

export interface Throttle {
  /** Takes a token from the bucket of that name, if it has one. A bucket comes to be when it is first asked. */
  admits(bucket: string, limit: Limit): boolean;
}

/** @param now milliseconds on a clock that never goes back */
export function createThrottle(now: () => number = () => performance.now()): Throttle {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    admits(name, { rate, burst }) {
      const at = now();
      const { tokens, at: before } = buckets.get(name) ?? { tokens: burst, at };
      const refilled = Math.min(burst, tokens + ((at - before) / 1000) * rate);
      const admitted = refilled >= 1;
      buckets.set(name, { tokens: admitted ? refilled - 1 : refilled, at });
      return admitted;
    },
  };
}
