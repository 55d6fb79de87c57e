/** The alarms of the deployment in CloudWatch. */
import { CloudWatchClient, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import type { Alarm, Alarms } from '../../core/management/list-alarms.ts';
import { requestHandler } from '../request-handler.ts';

/** Largest page of CloudWatch. */
const PAGE = 100;

export function createAlarms(): Alarms {
  const client = new CloudWatchClient({ requestHandler: requestHandler('services') });
  return {
    async list(prefix) {
      const pages = paginateDescribeAlarms(
        { client, pageSize: PAGE },
        { AlarmNamePrefix: prefix, AlarmTypes: ['MetricAlarm'] },
      );
      const all: Alarm[] = [];
      for await (const { MetricAlarms = [] } of pages)
        for (const alarm of MetricAlarms)
          all.push({
            name: alarm.AlarmName ?? '',
            description: alarm.AlarmDescription ?? '',
            state: alarm.StateValue ?? 'INSUFFICIENT_DATA',
            since: (alarm.StateTransitionedTimestamp ?? alarm.StateUpdatedTimestamp ?? new Date(0)).getTime(),
            reason: alarm.StateReason ?? '',
          });
      return all;
    },
  };
}
