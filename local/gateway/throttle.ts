/** API Gateway's rate limits: token buckets. */

export interface Limit {
  /** Tokens added per second. */
  readonly rate: number;
  /** Tokens of a full bucket, as at the start. */
  readonly burst: number;
}

export interface Throttle {
  /** Takes a token from the bucket of that name, if it has one. Creates the bucket at its first use. */
  admits(bucket: string, limit: Limit): boolean;
}

/** Tokens are counted in thousandths, of which a millisecond adds `rate`: sums of whole numbers do not drift. */
const TOKEN = 1000;

/** @param now milliseconds on a clock that never goes back */
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
