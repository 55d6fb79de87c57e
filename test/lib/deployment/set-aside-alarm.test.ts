import { expect, it } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { SERVICE } from '../../../lib/constructs/function.ts';
import { onlyContainer } from '../front-door/template.ts';
import { stackOf, synthesize, synthesizeWith } from '../synthesis.ts';

const { template } = stackOf(synthesize(), 'Platform');
/** The stack without the ingress, in which functions serve all operations. */
const { template: functions } = stackOf(synthesizeWith({ ingress: 'off' }), 'Platform');

it('raises the alarm if an item was set aside within 15 minutes', () => {
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

it.each(['Jobs stream: counts jobs', 'Every minute: ', 'Calls the webhook', 'reads the stream of a job'])(
  'makes the function "%s" count items in the metric of the alarm',
  (description) => {
    const found = functions.findResources('AWS::Lambda::Function', {
      Properties: {
        Description: Match.stringLikeRegexp(description),
        Environment: { Variables: { POWERTOOLS_METRICS_NAMESPACE: 'gpu-endpoints/Platform' } },
      },
    });
    expect(Object.keys(found)).toHaveLength(1);
  },
);

it('makes the ingress count items in the metric of the alarm', () => {
  const variable = { Name: 'POWERTOOLS_METRICS_NAMESPACE', Value: 'gpu-endpoints/Platform' };
  expect(onlyContainer(template).Environment).toContainEqual(variable);
});
