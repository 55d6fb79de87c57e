/** API Gateway's cache of the responses of authorizers. */

/** Keeps responses by the identity sources of their requests. */
export interface DecisionCache<Decision extends object> {
  /**
   * Returns the response of an earlier request with the same values, or the response of `ask`, which is kept if the
   * authorizer caches. Concurrent requests each call `ask`, and failures are not kept.
   * @param values one for each identity source
   */
  read(authorizer: CachedAuthorizer, values: readonly string[], ask: () => Promise<Decision>): Promise<Decision>;
}

export interface CachedAuthorizer {
  readonly id: string;
  /** Time for which responses are kept, in seconds; 0 for none. */
  readonly resultTtl: number;
}

/**
 * Creates the cache.
 * @param now monotonic clock in milliseconds
 */
export function createDecisionCache<Decision extends object>(
  now: () => number = () => performance.now(),
): DecisionCache<Decision> {
  const decisions = new Map<string, { readonly decision: Decision; readonly until: number }>();

  /** Removes expired decisions, so that the memory does not grow. They have nearly the order of their expiry. */
  function removeExpired(time: number): void {
    for (const [name, { until }] of decisions) {
      if (time < until) return;
      decisions.delete(name);
    }
  }

  return {
    async read({ id, resultTtl }, values, ask) {
      if (resultTtl === 0) return ask();
      const name = JSON.stringify([id, ...values]);
      const kept = decisions.get(name);
      if (kept && now() < kept.until) return kept.decision;
      const decision = await ask();
      const time = now();
      removeExpired(time);
      decisions.delete(name);
      decisions.set(name, { decision, until: time + resultTtl * 1000 });
      return decision;
    },
  };
}
