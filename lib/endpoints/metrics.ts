/** The metrics of an endpoint in CloudWatch, for alarms and dashboards. */
import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, type MetricOptions, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { HOUR, VOLUME_MEASURE } from '../../core/limits.ts';
import {
  endpointMetrics,
  isPublished,
  METRIC_DIMENSION,
  type MetricChoice,
  type MetricName,
} from '../../core/sweeper/measure.ts';
import { FAILURE_METRIC } from '../../core/webhooks/delivery.ts';
import { volumeMetrics } from '../../core/workers/volume-metrics.ts';
import { SERVICE } from '../constructs/function.ts';
import { functionMetricsOf, InvalidSetting } from '../settings/settings.ts';

/** Metrics that the sweeper publishes once a minute while an endpoint has jobs or missing workers. */
export class EndpointMetrics {
  readonly id: string;
  readonly #deployment: string;
  readonly #published: MetricChoice | undefined;

  /** @param published the setting `endpointMetrics` of the deployment, if it is known */
  constructor(deployment: string, id: string, published?: MetricChoice) {
    this.#deployment = deployment;
    this.#published = published;
    this.id = id;
  }

  /**
   * Returns one of the metrics of the sweeper, by default its sums of 5 minutes.
   * @throws InvalidSetting if the deployment does not publish it
   */
  metric(name: MetricName, props: MetricOptions = {}): Metric {
    if (this.#published && !isPublished(name, this.#published))
      throw new InvalidSetting(
        `The context \`endpointMetrics\` is ${this.#published}, so \`${this.id}\` has no metric ${endpointMetrics[name].name}: set it to ${isPublished(name, 'few') ? 'few or all' : 'all'}.`,
      );
    return this.#ofFunctions(endpointMetrics[name].name, { statistic: Stats.SUM, ...props });
  }

  /** Seconds for which the oldest job of normal priority has waited, by default the maximum of a minute. */
  metricQueueDelay(props?: MetricOptions): Metric {
    return this.metric('oldestSeconds', { ...ofMinute, ...props });
  }

  /** Waiting jobs, by default the maximum of a minute. */
  metricQueueDepth(props?: MetricOptions): Metric {
    return this.metric('waiting', { ...ofMinute, ...props });
  }

  /** Jobs that became COMPLETED, FAILED or TIMED_OUT, by default in 5 minutes. */
  metricJobsEnded(props?: MetricOptions): Metric {
    return this.metric('ended', props);
  }

  /** Jobs that became FAILED or TIMED_OUT, by default in 5 minutes. */
  metricJobsFailed(props?: MetricOptions): Metric {
    return this.metric('failed', props);
  }

  /**
   * The failed jobs in percent of those that ended, by default in 5 minutes.
   * @param minJobs number of ended jobs below which the value is 0
   */
  metricJobsFailedPercent({ minJobs = 1, ...props }: MetricOptions & { readonly minJobs?: number } = {}): IMetric {
    return new MathExpression({
      label: props.label ?? 'Failed jobs in percent',
      expression: `IF(ended >= ${minJobs}, 100 * failed / ended, 0)`,
      usingMetrics: { ended: this.metricJobsEnded(props), failed: this.metricJobsFailed(props) },
      period: props.period ?? Duration.minutes(5),
    });
  }

  /** Jobs that run, by default the maximum of a minute. Needs the setting `endpointMetrics: all`. */
  metricJobsRunning(props?: MetricOptions): Metric {
    return this.metric('running', { ...ofMinute, ...props });
  }

  /** Workers that run or start, by default the maximum of a minute. Needs the setting `endpointMetrics: all`. */
  metricWorkers(props?: MetricOptions): Metric {
    return this.metric('workers', { ...ofMinute, ...props });
  }

  /** Requested workers that do not run, for a known reason or for too long, by default the maximum of a minute. */
  metricWorkersMissing(props?: MetricOptions): Metric {
    return this.metric('missing', { ...ofMinute, ...props });
  }

  /** 1 while the last release is rolled back, by default the maximum of a minute. */
  metricReleaseRolledBack(props?: MetricOptions): Metric {
    return this.metric('rolledBack', { ...ofMinute, ...props });
  }

  /** Percentage of the budget of today that is spent, by default the maximum of a minute. */
  metricBudgetUsed(props?: MetricOptions): Metric {
    return this.metric('budgetUsed', { ...ofMinute, ...props });
  }

  /**
   * The failed deliveries of webhooks in percent, by default in 5 minutes.
   * @param minDeliveries number of finished deliveries below which the value is 0
   */
  metricWebhooksFailedPercent({
    minDeliveries = 1,
    ...props
  }: MetricOptions & { readonly minDeliveries?: number } = {}): IMetric {
    const of = (statistic: string) => this.#ofFunctions(FAILURE_METRIC, { ...props, statistic });
    return new MathExpression({
      label: props.label ?? 'Failed webhooks in percent',
      expression: `IF(ended >= ${minDeliveries}, 100 * rate, 0)`,
      usingMetrics: { ended: of(Stats.SAMPLE_COUNT), rate: of(Stats.AVERAGE) },
      period: props.period ?? Duration.minutes(5),
    });
  }

  /** Size of the volume in percent of `volumeInGb`, by default the maximum of an hour. */
  metricVolumeUsedPercent(props?: MetricOptions): Metric {
    return new Metric({
      namespace: this.#deployment,
      metricName: volumeMetrics.usedPercent,
      dimensionsMap: { [volumeMetrics.dimension]: this.id },
      statistic: Stats.MAXIMUM,
      period: Duration.hours(VOLUME_MEASURE.every / HOUR),
      ...props,
    });
  }

  #ofFunctions(metricName: string, props: MetricOptions): Metric {
    return new Metric({
      namespace: functionMetricsOf(this.#deployment),
      metricName,
      dimensionsMap: { service: SERVICE, [METRIC_DIMENSION]: this.id },
      ...props,
    });
  }
}

const ofMinute: MetricOptions = { statistic: Stats.MAXIMUM, period: Duration.minutes(1) };
