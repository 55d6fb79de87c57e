import { expect, it } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { SERVICE } from '../../lib/function.ts';
import { stackOf, synthesize } from './synthesis.ts';

const { template } = stackOf(synthesize(), 'Platform');

it('goes off when anything was set aside within 15 minutes', () => {
  template.hasResourceProperties('AWS::CloudWatch::Alarm', {
    Namespace: 'gpu-endpoints/Platform',
    MetricName: 'SetAside',
    Dimensions: [{ Name: 'service', Value: SERVICE }],
    Statistic: 'Sum',
    Period: 900,
    Threshold: 0,
    ComparisonOperator: 'GreaterThanThreshold',
    EvaluationPeriods: 1,
    TreatMissingData: 'notBreaching',
  });
});

it.each(['Jobs stream: counts jobs', 'Every minute: ', 'Calls the webhook', 'reads what a job has streamed'])(
  'is counted by the function "%s", where the alarm looks',
  (description) => {
    const found = template.findResources('AWS::Lambda::Function', {
      Properties: {
        Description: Match.stringLikeRegexp(description),
        Environment: { Variables: { POWERTOOLS_METRICS_NAMESPACE: 'gpu-endpoints/Platform' } },
      },
    });
    expect(Object.keys(found)).toHaveLength(1);
  },
);
