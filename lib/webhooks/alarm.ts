import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct, type IConstruct } from 'constructs';
import { FAILURE_METRIC, failureAlarm } from '../../core/webhooks/delivery.ts';
import { alarmAbove } from '../constructs/alarm.ts';
import { SERVICE, type ServiceFunction } from '../constructs/function.ts';
import { rangeOf, type Setting } from '../settings/field-text.ts';
import { functionMetrics, wholeNumberOf } from '../settings/settings.ts';

const SETTING = 'webhookAlarmPercent';
/** Percentages of at most two digits. */
const percents = { min: 0, max: 99 } as const;

/**
 * Returns the share of failed webhooks, in percent, above which the alarm is triggered.
 * @throws InvalidSetting
 */
export function webhookAlarmPercentOf(scope: IConstruct): number {
  const value: unknown = scope.node.tryGetContext(SETTING) ?? failureAlarm.percent;
  return wholeNumberOf(SETTING, value, percents);
}

export const webhookAlarmPercentSetting: Setting = {
  read: webhookAlarmPercentOf,
  text: {
    description: 'Percentage of failed webhooks above which the alarm goes off.',
    type: 'whole number',
    default: failureAlarm.percent,
    allowed: rangeOf(percents),
    guide: 'webhookFailures',
  },
};

/**
 * The failure rate of webhooks as a metric, and an alarm if too many webhooks fail. The setting `alarms` names the
 * topic that the alarm notifies.
 */
export class WebhookAlarm extends Construct {
  readonly #namespace = functionMetrics(this);

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const namespace = this.#namespace;
    const { deliveries, within } = failureAlarm;
    const period = Duration.millis(within);
    const metric = (statistic: string) =>
      new Metric({ namespace, metricName: FAILURE_METRIC, dimensionsMap: { service: SERVICE }, statistic, period });
    const failed = new MathExpression({
      label: 'Failed webhooks in percent',
      // A failure rate of only a few deliveries is not significant.
      expression: `IF(ended >= ${deliveries}, 100 * rate, 0)`,
      usingMetrics: { ended: metric('SampleCount'), rate: metric('Average') },
      period,
    });
    alarmAbove(this, 'Failing', {
      text: 'Too many webhooks are not acknowledged.',
      entry: 'webhooks',
      metric: failed,
      above: webhookAlarmPercentOf(this),
    });
  }

  /** Lets a function count deliveries that have finished. */
  countsIn(counter: ServiceFunction): void {
    counter.addEnvironment('POWERTOOLS_METRICS_NAMESPACE', this.#namespace);
  }
}
