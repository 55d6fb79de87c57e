import { expect, it } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { SERVICE } from '../../../lib/constructs/function.ts';
import { onlyContainer } from '../front-door/template.ts';
import { stackOf, synthesize, synthesizeWith } from '../synthesis.ts';

const { template } = stackOf(synthesize(), 'Platform');
/** Where functions serve all operations. */
const { template: functions } = stackOf(synthesizeWith({ ingress: 'off' }), 'Platform');

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
    const found = functions.findResources('AWS::Lambda::Function', {
      Properties: {
        Description: Match.stringLikeRegexp(description),
        Environment: { Variables: { POWERTOOLS_METRICS_NAMESPACE: 'gpu-endpoints/Platform' } },
      },
    });
    expect(Object.keys(found)).toHaveLength(1);
  },
);

it('is counted by the ingress, where the alarm looks', () => {
  const variable = { Name: 'POWERTOOLS_METRICS_NAMESPACE', Value: 'gpu-endpoints/Platform' };
  expect(onlyContainer(template).Environment).toContainEqual(variable);
});
