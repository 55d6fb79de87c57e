import { Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { MINUTE, SECOND } from '../../core/limits.ts';
import { failureAlarm } from '../../core/webhooks/delivery.ts';
import { alarmAbove } from '../constructs/alarm.ts';
import { deploymentOf } from '../settings/settings.ts';
import {
  ALARM_PERIODS,
  type AlarmFields,
  alarmThresholdsOf,
  failedJobs,
  withDefaults,
  withoutSweeperMetrics,
} from './alarm-settings.ts';
import { EndpointMetrics } from './metrics.ts';
import { endpointMetricsOf } from './metrics-setting.ts';

/** Returns as many whole minutes as the time has, rounded up. */
const wholeMinutes = (milliseconds: number) => Duration.minutes(Math.ceil(milliseconds / MINUTE));

/**
 * The alarms of one endpoint, on the metrics of the sweeper. The sweeper publishes nothing about an idle endpoint, so
 * missing data is no reason for an alarm. With `endpointMetrics: none`, it never publishes and these alarms do not exist.
 */
export class EndpointAlarms extends Construct {
  constructor(scope: Construct, id: string, endpoint: string, fields: AlarmFields = {}) {
    super(scope, id);
    const published = endpointMetricsOf(this);
    const metrics = new EndpointMetrics(deploymentOf(this), endpoint, published);
    const thresholds = {
      ...withDefaults(fields, alarmThresholdsOf(this)),
      ...(published === 'none' && withoutSweeperMetrics),
    };
    const { oldestWaiting, failedPercent, noWorker, rolledBack, webhooksPercent, volumePercent, budgetPercent } =
      thresholds;
    const minutes = (milliseconds: number) => Number((milliseconds / MINUTE).toFixed(1));

    if (oldestWaiting > 0)
      alarmAbove(this, 'Waiting', {
        text: `The oldest job of ${endpoint} has waited for more than ${minutes(oldestWaiting)} minutes.`,
        entry: 'jobsWait',
        metric: metrics.metricQueueDelay(),
        above: oldestWaiting / SECOND,
        periods: ALARM_PERIODS,
      });

    const { jobs, within } = failedJobs;
    if (failedPercent > 0)
      alarmAbove(this, 'Failing', {
        text: `More than ${failedPercent} % of the jobs of ${endpoint} that ended within ${minutes(within)} minutes have failed.`,
        entry: 'jobsFail',
        // A failure rate of only a few jobs is not significant.
        metric: metrics.metricJobsFailedPercent({ minJobs: jobs, period: wholeMinutes(within) }),
        above: failedPercent,
      });

    // A worker that starts and fails again and again is not missing all the time, but in each of these periods.
    const period = wholeMinutes(noWorker / ALARM_PERIODS);
    if (noWorker > 0)
      alarmAbove(this, 'NoWorker', {
        text: `Workers of ${endpoint} have been missing for ${ALARM_PERIODS * period.toMinutes()} minutes.`,
        entry: 'noWorker',
        metric: metrics.metricWorkersMissing({ period }),
        above: 0,
        periods: ALARM_PERIODS,
      });

    if (rolledBack > 0)
      alarmAbove(this, 'RolledBack', {
        text: `The last release of ${endpoint} has been rolled back for ${wholeMinutes(rolledBack).toMinutes()} minutes.`,
        entry: 'rolledBack',
        metric: metrics.metricReleaseRolledBack(),
        above: 0,
        periods: wholeMinutes(rolledBack).toMinutes(),
      });

    const { deliveries, within: webhooksWithin } = failureAlarm;
    if (webhooksPercent > 0)
      alarmAbove(this, 'WebhooksFailing', {
        text: `More than ${webhooksPercent} % of the webhooks of ${endpoint} within ${minutes(webhooksWithin)} minutes were not acknowledged.`,
        entry: 'webhooks',
        metric: metrics.metricWebhooksFailedPercent({
          minDeliveries: deliveries,
          period: wholeMinutes(webhooksWithin),
        }),
        above: webhooksPercent,
      });

    if (budgetPercent > 0)
      alarmAbove(this, 'BudgetHigh', {
        text: `More than ${budgetPercent} % of the budget of ${endpoint} for today is spent.`,
        entry: 'budget',
        metric: metrics.metricBudgetUsed(),
        above: budgetPercent,
        periods: ALARM_PERIODS,
      });

    if (volumePercent > 0)
      alarmAbove(this, 'VolumeHigh', {
        text: `More than ${volumePercent} % of the volume of ${endpoint} is in use.`,
        entry: 'volume',
        metric: metrics.metricVolumeUsedPercent(),
        above: volumePercent,
      });
  }
}
