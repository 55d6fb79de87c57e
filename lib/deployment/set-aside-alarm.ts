import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { SET_ASIDE_METRIC, setAsideAlarm } from '../../core/stored-items/unreadable.ts';
import { alarmAbove } from '../constructs/alarm.ts';
import { SERVICE } from '../constructs/function.ts';
import type { Grantee } from '../constructs/grantee.ts';
import { functionMetrics } from '../settings/settings.ts';

/**
 * The number of items and changes that were set aside, and an alarm if there are any. The setting `alarms` names the
 * topic that the alarm notifies.
 */
export class SetAsideAlarm extends Construct {
  constructor(scope: Construct, id: string, counters: readonly Grantee[]) {
    super(scope, id);
    const namespace = functionMetrics(this);
    const metric = new Metric({
      namespace,
      metricName: SET_ASIDE_METRIC,
      dimensionsMap: { service: SERVICE },
      statistic: Stats.SUM,
      period: Duration.millis(setAsideAlarm.within),
    });
    alarmAbove(this, 'Unreadable', {
      text: 'Items that are not valid jobs, leases or chunks, or changes that could not be recorded, were set aside.',
      entry: 'setAside',
      metric,
      above: setAsideAlarm.items,
    });
    for (const counter of counters) counter.addEnvironment('POWERTOOLS_METRICS_NAMESPACE', namespace);
  }
}
