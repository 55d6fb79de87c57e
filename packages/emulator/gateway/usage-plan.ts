/** API keys, usage plans, and their limits for a request. */
import type { ApiDefinitions } from './definitions.ts';
import type { Limit, Throttle } from './throttle.ts';

/** Limits by method, in the notation of usage plans: `/{endpoint}/run/POST`. */
export interface PlanLimits {
  readonly methods: ReadonlyMap<string, Limit>;
  /** Limit of methods that have no separate limit. */
  readonly otherwise?: Limit;
}

export interface ApiKey {
  readonly id: string;
  readonly value: string;
  readonly limits: PlanLimits;
}

/** The usage plans of one stage of an API. */
export interface Usage {
  /** Returns the enabled key with this value, if it is in a plan that covers the stage. */
  keyWith(value: string): ApiKey | undefined;
  /** The stage's own limits, which apply to all callers together. */
  readonly stage: PlanLimits;
}

const EVERY_METHOD = '/*/*';

export const methodName = (resourcePath: string, httpMethod: string): string => `${resourcePath}/${httpMethod}`;

const limitOf = ({ RateLimit, BurstLimit }: { RateLimit: number; BurstLimit: number }): Limit => ({
  rate: RateLimit,
  burst: BurstLimit,
});

function stageLimits(stage: ApiDefinitions['stages'][number]): PlanLimits {
  const limits = stage.properties.MethodSettings.flatMap((setting): [string, Limit][] => {
    const { HttpMethod, ResourcePath, ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = setting;
    // The setting has a slash before the path, and `~1` for each slash of the path; `/` and `/*` are not encoded.
    const path = ['/', '/*'].includes(ResourcePath) ? ResourcePath : ResourcePath.slice(1).replaceAll('~1', '/');
    return rate === undefined || burst === undefined ? [] : [[methodName(path, HttpMethod), { rate, burst }]];
  });
  const methods = new Map(limits);
  const otherwise = methods.get(EVERY_METHOD);
  return { methods, ...(otherwise && { otherwise }) };
}

/** Builds the usage plans of a stage from the definitions. */
export function usageOf(definitions: ApiDefinitions, stage: ApiDefinitions['stages'][number]): Usage {
  const { usagePlans, planKeys, apiKeys } = definitions;
  const plans = usagePlans.flatMap(({ id: planId, properties: plan }) => {
    const covered = plan.ApiStages.find(
      ({ ApiId, Stage }) => ApiId === stage.properties.RestApiId && Stage === stage.properties.StageName,
    );
    if (!covered) return [];
    const methods = new Map(Object.entries(covered.Throttle).map(([name, limit]) => [name, limitOf(limit)]));
    const limits = { methods, ...(plan.Throttle && { otherwise: limitOf(plan.Throttle) }) };
    return [{ planId, limits }];
  });
  const enabled = new Map(
    apiKeys.flatMap(({ id, properties: { Enabled, Value } }) => (Enabled ? [[Value, id] as const] : [])),
  );
  return {
    stage: stageLimits(stage),
    // Keys can be added and removed at any time.
    keyWith(value) {
      const id = enabled.get(value);
      if (id === undefined) return undefined;
      const plan = plans.find(({ planId }) => planKeys.has(planId, id));
      return plan && { id, value, limits: plan.limits };
    },
  };
}

/** Returns the name of a request's bucket with its limit; undefined without a limit. */
function bucketIn({ methods, otherwise }: PlanLimits, method: string): [name: string, limit: Limit] | undefined {
  const own = methods.get(method);
  if (own) return [method, own];
  return otherwise && ['*', otherwise];
}

/**
 * Returns whether a request is admitted, by its key's bucket and then by the stage's bucket.
 * @param scope identifies the stage
 */
export function admits(
  { stage }: Usage,
  throttle: Throttle,
  { scope, key, method }: { scope: string; key: ApiKey | undefined; method: string },
): boolean {
  const buckets: [string, PlanLimits][] = [[`${scope} stage`, stage]];
  if (key) buckets.unshift([`${scope} key ${key.id}`, key.limits]);
  return buckets.every(([owner, limits]) => {
    const bucket = bucketIn(limits, method);
    return !bucket || throttle.admits(`${owner} ${bucket[0]}`, bucket[1]);
  });
}
