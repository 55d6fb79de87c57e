/** An endpoint as the code of an app refers to it: its URL, permission to call it, and its metrics. */
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct, IConstruct } from 'constructs';
import type { MetricChoice } from '../../core/sweeper/measure.ts';
import { EndpointMetrics } from '../endpoints/metrics.ts';
import { endpointMetricsOf } from '../endpoints/metrics-setting.ts';
import { grantInvoke } from '../keys/grant-invoke.ts';
import { deploymentOf } from '../settings/settings.ts';
import type { PlatformStack } from './platform-stack.ts';

/** Returns values of a platform stack, for the stack of a construct. */
interface Platform {
  /** URL of the job interface. */
  jobsUrl(reader: IConstruct): string;
  /** ARN of the function that creates keys. */
  serviceToken(reader: IConstruct): string;
  /**
   * Metrics that the deployment publishes.
   * @default - not known in this app
   */
  readonly published?: MetricChoice;
}

export class Endpoint extends EndpointMetrics {
  /** Refers to an endpoint of a platform stack of this app. */
  static in(platform: PlatformStack, id: string): Endpoint {
    const { jobsUrl, callerKeys } = platform;
    return new Endpoint(id, jobsUrl.in(platform), deploymentOf(platform), {
      jobsUrl: (reader) => jobsUrl.in(reader),
      serviceToken: (reader) => callerKeys.serviceToken.in(reader),
      published: endpointMetricsOf(platform),
    });
  }

  /** Refers to an endpoint of a deployment of another app. The values are read when the stack of the scope is deployed. */
  static ofDeployment(scope: Construct, id: string, deployment: string): Endpoint {
    const read = (name: string) => (reader: IConstruct) =>
      StringParameter.valueForStringParameter(reader, `/${deployment}/Platform/${name}`);
    const platform = { jobsUrl: read('JobsUrl'), serviceToken: read('CallerKeys/ServiceToken') };
    return new Endpoint(id, platform.jobsUrl(scope), deployment, platform);
  }

  /** URL of the endpoint, to which `/run`, `/runsync` and the other paths of the job interface are added. */
  readonly url: string;
  readonly #platform: Platform;

  private constructor(id: string, jobsUrl: string, deployment: string, platform: Platform) {
    super(deployment, id, platform.published);
    this.url = `${jobsUrl}/${id}`;
    this.#platform = platform;
  }

  /**
   * Lets a function call the endpoint: creates a client key for it in Secrets Manager, which only this function may
   * read, and sets the variables `GPU_ENDPOINTS_URL`, the URL of the job interface, and `GPU_ENDPOINTS_KEY_SECRET`, the
   * ARN of the secret. A function that may call several endpoints has one key.
   */
  grantInvoke(grantee: LambdaFunction): void {
    grantInvoke(grantee, {
      endpoint: this.id,
      jobsUrl: this.#platform.jobsUrl(grantee),
      serviceToken: this.#platform.serviceToken(grantee),
    });
  }
}
