/** Rate limits: the bucket of each route, and the usage plans with one set of buckets for each hidden key. */
import { CfnApiKey, type Method, type Stage, UsagePlan } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import type { RouteLimit } from '../../core/operations/routes.ts';
import { consoleLimitOf, throttleKey } from '../../core/rates/throttle.ts';
import type { PlanKeys } from './plan-keys.ts';

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

/** An API with methods that count against the plans. */
export interface LimitedApi {
  readonly stage: Stage;
  readonly methods: readonly LimitedMethod[];
}

export interface ThrottleBucketProps {
  /** Distinguishes the deployments of an account: the name of the platform stack. */
  readonly scope: string;
  /** An endpoint id, or one of the shared buckets. */
  readonly bucket: string;
}

/**
 * A hidden key, which has its own bucket for each method in each usage plan that it is added to. The key limits calls
 * and grants nothing. Only the authorizer can add it to a request.
 */
export class ThrottleBucket extends Construct {
  readonly keyId: string;

  constructor(scope: Construct, id: string, props: ThrottleBucketProps) {
    super(scope, id);
    const key = new CfnApiKey(this, 'Key', {
      description: `Rate limits of ${props.bucket}; not a credential.`,
      value: throttleKey(props.scope, props.bucket),
      enabled: true,
    });
    this.keyId = key.attrApiKeyId;
  }
}

export interface UsagePlansProps {
  readonly api: LimitedApi;
  /** Name of the interface in descriptions. */
  readonly called: string;
  /** Ids of the hidden keys of shared buckets. */
  readonly shared: readonly string[];
  /**
   * Id of the hidden key of all users of the console.
   * @default - no console
   */
  readonly console: string | undefined;
  readonly planKeys: PlanKeys;
}

/**
 * The usage plans of one interface. The first has a bucket for each endpoint, and the second limits users of the
 * console, so that open pages never use up the rate limits of clients.
 */
export class UsagePlans extends Construct {
  /** Id of the plan that the key of each endpoint is added to. */
  readonly endpoints: string;

  constructor(scope: Construct, id: string, { api, called, shared, console: consoleKey, planKeys }: UsagePlansProps) {
    super(scope, id);
    const { stage, methods } = api;
    const planOf = (name: string, description: string, limitOf: (method: LimitedMethod) => RouteLimit) =>
      new UsagePlan(this, name, {
        description,
        apiStages: [
          { stage, throttle: methods.map((each) => ({ method: each.method, throttle: bucketOf(limitOf(each)) })) },
        ],
      }).usagePlanId;
    const plan = planOf('Endpoints', `The rate limits of the ${called}, per endpoint.`, ({ limit }) => limit);
    this.endpoints = plan;
    const keys = shared.map((keyId) => ({ keyId, usagePlanId: plan }));
    if (consoleKey !== undefined) {
      const usagePlanId = planOf(
        'Console',
        `The rate limits of the ${called} for users of the console.`,
        ({ method: { httpMethod }, limit }) => consoleLimitOf(limit, httpMethod === 'GET' || httpMethod === 'HEAD'),
      );
      keys.push({ keyId: consoleKey, usagePlanId });
    }
    planKeys.add(this, 'Keys', keys);
  }
}
