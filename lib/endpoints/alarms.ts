import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { MINUTE, SECOND } from '../../core/limits.ts';
import { endpointMetrics, METRIC_DIMENSION } from '../../core/sweeper/measure.ts';
import { alarmAbove } from '../constructs/alarm.ts';
import { SERVICE } from '../constructs/function.ts';
import { functionMetrics } from '../settings/settings.ts';
import { ALARM_PERIODS, type AlarmFields, alarmThresholdsOf, failedJobs, withDefaults } from './alarm-settings.ts';

/**
 * The alarms of one endpoint, on the metrics of the sweeper. The sweeper publishes nothing about an idle endpoint, so
 * missing data is no reason for an alarm.
 */
export class EndpointAlarms extends Construct {
  readonly #endpoint: string;

  constructor(scope: Construct, id: string, endpoint: string, fields: AlarmFields = {}) {
    super(scope, id);
    this.#endpoint = endpoint;
    const { oldestWaiting, failedPercent, noWorker } = withDefaults(fields, alarmThresholdsOf(this));
    const minutes = (milliseconds: number) => Number((milliseconds / MINUTE).toFixed(1));

    if (oldestWaiting > 0)
      alarmAbove(this, 'Waiting', {
        text: `The oldest job of ${endpoint} has waited for more than ${minutes(oldestWaiting)} minutes.`,
        entry: 'jobsWait',
        metric: this.#metric('oldestSeconds', Stats.MAXIMUM, MINUTE),
        above: oldestWaiting / SECOND,
        periods: ALARM_PERIODS,
      });

    const { jobs, within } = failedJobs;
    if (failedPercent > 0)
      alarmAbove(this, 'Failing', {
        text: `More than ${failedPercent} % of the jobs of ${endpoint} that ended within ${minutes(within)} minutes have failed.`,
        entry: 'jobsFail',
        metric: new MathExpression({
          label: 'Failed jobs in percent',
          // A failure rate of only a few jobs is not significant.
          expression: `IF(ended >= ${jobs}, 100 * failed / ended, 0)`,
          usingMetrics: {
            ended: this.#metric('ended', Stats.SUM, within),
            failed: this.#metric('failed', Stats.SUM, within),
          },
          period: Duration.millis(within),
        }),
        above: failedPercent,
      });

    // A worker that starts and fails again and again is not missing all the time, but in each of these periods.
    const period = Math.ceil(noWorker / ALARM_PERIODS / MINUTE) * MINUTE;
    if (noWorker > 0)
      alarmAbove(this, 'NoWorker', {
        text: `Workers of ${endpoint} have been missing for ${minutes(ALARM_PERIODS * period)} minutes.`,
        entry: 'noWorker',
        metric: this.#metric('missing', Stats.MAXIMUM, period),
        above: 0,
        periods: ALARM_PERIODS,
      });
  }

  #metric(name: keyof typeof endpointMetrics, statistic: string, period: number): Metric {
    return new Metric({
      namespace: functionMetrics(this),
      metricName: endpointMetrics[name].name,
      dimensionsMap: { service: SERVICE, [METRIC_DIMENSION]: this.#endpoint },
      statistic,
      period: Duration.millis(period),
    });
  }
}
