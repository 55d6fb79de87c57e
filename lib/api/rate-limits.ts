/** Rate limits: the bucket of each route, and the usage plan with one set of buckets for each hidden key. */
import { CfnApiKey, CfnUsagePlanKey, type Method, type Stage, UsagePlan } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { throttleKey } from '../../core/rates/throttle.ts';
import type { RouteLimit } from '../../core/routes.ts';

/**
 * Returns a token bucket that holds the number of requests that the contract allows in 10 seconds, and refills in 10
 * seconds.
 */
export const bucketOf = ({ per10Seconds }: RouteLimit) => ({
  rateLimit: per10Seconds / 10,
  burstLimit: per10Seconds,
});

export interface LimitedMethod {
  readonly method: Method;
  readonly limit: RouteLimit;
}

/** An API with methods that count against the plan. */
export interface LimitedApi {
  readonly stage: Stage;
  readonly methods: readonly LimitedMethod[];
}

export interface UsagePlanProps {
  readonly description: string;
  /** The limit of a method in this plan. @default - the limit of its route */
  readonly limitOf?: (method: LimitedMethod) => RouteLimit;
}

/** Creates a usage plan: every hidden key in the plan gets its own bucket for each method. */
export function createUsagePlan(
  scope: Construct,
  id: string,
  apis: readonly LimitedApi[],
  { description, limitOf = ({ limit }) => limit }: UsagePlanProps,
): UsagePlan {
  return new UsagePlan(scope, id, {
    description,
    apiStages: apis.map(({ stage, methods }) => ({
      stage,
      throttle: methods.map((limited) => ({ method: limited.method, throttle: bucketOf(limitOf(limited)) })),
    })),
  });
}

export interface ThrottleBucketProps {
  readonly usagePlanId: string;
  /** Distinguishes the deployments of an account: the name of the platform stack. */
  readonly scope: string;
  /** An endpoint id, or one of the shared buckets. */
  readonly bucket: string;
}

/**
 * A hidden key of the usage plan. The key limits calls and grants nothing. Only the authorizer can add it to a
 * request.
 */
export class ThrottleBucket extends Construct {
  readonly #planKey: CfnUsagePlanKey;

  constructor(scope: Construct, id: string, props: ThrottleBucketProps) {
    super(scope, id);
    const key = new CfnApiKey(this, 'Key', {
      description: `Rate limits of ${props.bucket}; not a credential.`,
      value: throttleKey(props.scope, props.bucket),
      enabled: true,
    });
    this.#planKey = new CfnUsagePlanKey(this, 'PlanKey', {
      usagePlanId: props.usagePlanId,
      keyId: key.attrApiKeyId,
      keyType: 'API_KEY',
    });
  }

  /** Adds the bucket to the plan after the previous bucket, because API Gateway adds keys to a plan one at a time. */
  addAfter(other: ThrottleBucket): void {
    this.#planKey.addResourceDependency(other.#planKey);
  }
}
