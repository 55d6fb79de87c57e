import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, MathExpression, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { MINUTE, SECOND } from '../../core/limits.ts';
import { endpointMetrics, METRIC_DIMENSION } from '../../core/sweeper/measure.ts';
import { SERVICE } from '../constructs/function.ts';
import { alarmText } from '../constructs/runbook.ts';
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
      this.#alarm('Waiting', {
        alarmDescription: alarmText(
          `The oldest job of ${endpoint} has waited for more than ${minutes(oldestWaiting)} minutes.`,
          'jobsWait',
        ),
        metric: this.#metric('oldestSeconds', Stats.MAXIMUM, MINUTE),
        threshold: oldestWaiting / SECOND,
        evaluationPeriods: ALARM_PERIODS,
      });

    const { jobs, within } = failedJobs;
    if (failedPercent > 0)
      this.#alarm('Failing', {
        alarmDescription: alarmText(
          `More than ${failedPercent} % of the jobs of ${endpoint} that ended within ${minutes(within)} minutes have failed.`,
          'jobsFail',
        ),
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
        threshold: failedPercent,
        evaluationPeriods: 1,
      });

    // A worker that starts and fails again and again is not missing all the time, but in each of these periods.
    const period = Math.ceil(noWorker / ALARM_PERIODS / MINUTE) * MINUTE;
    if (noWorker > 0)
      this.#alarm('NoWorker', {
        alarmDescription: alarmText(
          `Workers of ${endpoint} have been missing for ${minutes(ALARM_PERIODS * period)} minutes.`,
          'noWorker',
        ),
        metric: this.#metric('missing', Stats.MAXIMUM, period),
        threshold: 0,
        evaluationPeriods: ALARM_PERIODS,
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

  #alarm(
    id: string,
    props: {
      readonly alarmDescription: string;
      readonly metric: Metric | MathExpression;
      readonly threshold: number;
      readonly evaluationPeriods: number;
    },
  ): void {
    new Alarm(this, id, {
      ...props,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}
