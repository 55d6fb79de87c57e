import { describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { SERVICE, ServiceFunction } from '../../../lib/constructs/function.ts';
import { WebhookAlarm } from '../../../lib/webhooks/alarm.ts';
import { templatesOnly } from '../synthesis.ts';

function alarmOf(context: Record<string, unknown> = {}) {
  const stack = new Stack(new App({ context: { ...templatesOnly, ...context } }), 'Platform');
  const deliver = new ServiceFunction(stack, 'Deliver', {
    entry: 'lambda/webhooks/deliver.ts',
    description: 'Delivers.',
  });
  new WebhookAlarm(stack, 'Alarm').countsIn(deliver);
  const template = Template.fromStack(stack);
  const [alarm] = Object.values(template.findResources('AWS::CloudWatch::Alarm'));
  const [found] = Object.values(template.findResources('AWS::Lambda::Function'));
  return { ...alarm?.Properties, environment: found?.Properties.Environment.Variables };
}

describe('the alarm of webhooks', () => {
  it('goes off when more than 10 % of at least 10 deliveries fail within 15 minutes', () => {
    const { environment, ...alarm } = alarmOf();
    const metric = (Stat: string) => ({
      Metric: {
        Namespace: 'gpu-endpoints/Platform',
        MetricName: 'WebhookFailures',
        Dimensions: [{ Name: 'service', Value: SERVICE }],
      },
      Period: 900,
      Stat,
    });
    expect(alarm).toMatchObject({
      Threshold: 10,
      ComparisonOperator: 'GreaterThanThreshold',
      EvaluationPeriods: 1,
      TreatMissingData: 'notBreaching',
      Metrics: [
        { Expression: 'IF(ended >= 10, 100 * rate, 0)' },
        { Id: 'ended', ReturnData: false, MetricStat: metric('SampleCount') },
        { Id: 'rate', ReturnData: false, MetricStat: metric('Average') },
      ],
    });
    // The function writes the metric that the alarm reads.
    expect(environment).toMatchObject({
      POWERTOOLS_METRICS_NAMESPACE: 'gpu-endpoints/Platform',
      POWERTOOLS_SERVICE_NAME: SERVICE,
    });
  });

  it('goes off at the percentage that the context sets', () => {
    expect(alarmOf({ webhookAlarmPercent: '0' }).Threshold).toBe(0);
    expect(alarmOf({ webhookAlarmPercent: 50 }).Threshold).toBe(50);
    for (const webhookAlarmPercent of ['100', -1, 'many', 1.5])
      expect(() => alarmOf({ webhookAlarmPercent })).toThrow('must be a whole number from 0 to 99');
  });
});
