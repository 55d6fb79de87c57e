import { describe, expect, it } from '@jest/globals';
import { SERVICE } from '../../../lib/constructs/function.ts';
import { declare, stackOf, synthesizeWith } from '../synthesis.ts';

/** Returns the properties of the alarms of a stack by the names of their constructs, and the stack's template. */
function alarmsOf(settings: object = {}, stack = 'Platform') {
  const { template } = stackOf(synthesizeWith(settings, [declare('echo')]), stack);
  const found = Object.entries(template.findResources('AWS::CloudWatch::Alarm'));
  return {
    template,
    dependencies: Object.fromEntries(found.map(([id, { DependsOn }]) => [id.slice(0, -8), DependsOn])),
    alarms: Object.fromEntries(found.map(([id, { Properties }]) => [id.slice(0, -8), Properties])),
  };
}

const { template, alarms, dependencies } = alarmsOf();
const above = { ComparisonOperator: 'GreaterThanThreshold', TreatMissingData: 'notBreaching' };
const functionOf = (name: string) => [{ Name: 'FunctionName', Value: { Ref: expect.stringMatching(`^${name}`) } }];

describe('the alarms of a deployment', () => {
  it('go off if the sweeper is not called for 3 minutes, but not before it can have been called', () => {
    expect(alarms.AlarmsSweeperSilent).toMatchObject({
      Namespace: 'AWS/Lambda',
      MetricName: 'Invocations',
      Dimensions: functionOf('SweeperSweep'),
      Statistic: 'Sum',
      Period: 60,
      EvaluationPeriods: 3,
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      TreatMissingData: 'breaching',
    });
    const distribution = Object.keys(template.findResources('AWS::CloudFront::Distribution'));
    const rule = Object.keys(template.findResources('AWS::Events::Rule')).filter((id) => id.startsWith('SweeperEvery'));
    expect([distribution, rule]).toEqual([[expect.any(String)], [expect.any(String)]]);
    expect(dependencies.AlarmsSweeperSilent).toEqual(expect.arrayContaining([...distribution, ...rule]));
  });

  it('go off if the ledger is late, or if launches of instances fail', () => {
    const Namespace = 'AWS/Lambda';
    expect(alarms.AlarmsLedgerBehind).toMatchObject({
      ...above,
      Namespace,
      MetricName: 'IteratorAge',
      Dimensions: functionOf('LedgerRecord'),
      Statistic: 'Maximum',
      Threshold: 60_000,
      EvaluationPeriods: 3,
    });
    expect(alarms.AlarmsLaunchesFailing).toMatchObject({
      ...above,
      Namespace,
      MetricName: 'Errors',
      Dimensions: functionOf('LaunchesLaunch'),
      Statistic: 'Sum',
      Period: 900,
    });
  });

  it('go off if one of the interfaces answers with 5xx', () => {
    const api = (name: string) =>
      expect.objectContaining({
        MetricStat: {
          Metric: {
            Namespace: 'AWS/ApiGateway',
            MetricName: '5XXError',
            Dimensions: [{ Name: 'ApiName', Value: `gpu-endpoints ${name}` }],
          },
          Period: 300,
          Stat: 'Sum',
        },
      });
    expect(alarms.AlarmsApiFailing).toMatchObject({ ...above, Threshold: 5 });
    const [sum, ...metrics] = alarms.AlarmsApiFailing?.Metrics ?? [];
    expect(sum).toMatchObject({ Expression: 'FILL(api0, 0) + FILL(api1, 0)' });
    expect(metrics).toEqual([api('jobs'), api('management')]);
  });

  it('go off if Lambda refuses calls, and at 80 % of the concurrent executions of the setting', () => {
    const ofAccount = { ...above, Namespace: 'AWS/Lambda' };
    expect(alarms.AlarmsFunctionsThrottled).toMatchObject({ ...ofAccount, MetricName: 'Throttles', Statistic: 'Sum' });
    const high = { ...ofAccount, MetricName: 'ConcurrentExecutions', Statistic: 'Maximum' };
    expect(alarms.AlarmsConcurrencyHigh).toMatchObject({ ...high, Threshold: 800 });
    for (const name of ['AlarmsFunctionsThrottled', 'AlarmsConcurrencyHigh'])
      expect(alarms[name]).not.toHaveProperty('Dimensions');
    expect(alarmsOf({ concurrentExecutions: '50' }).alarms.AlarmsConcurrencyHigh?.Threshold).toBe(40);
    for (const concurrentExecutions of [9, 'many'])
      expect(() => alarmsOf({ concurrentExecutions })).toThrow('must be a whole number from 10 to 1000000');
  });

  it('go off if the ingress has 80 % of the calls that can wait, in four samples a minute', () => {
    const metric = {
      Namespace: 'gpu-endpoints/Platform',
      MetricName: 'OpenCalls',
      Dimensions: [{ Name: 'service', Value: SERVICE }],
      Statistic: 'Sum',
      Period: 60,
    };
    // Each of at most ten tasks can hold 2,000 calls.
    expect(alarms.AlarmsWaitsHigh).toMatchObject({ ...above, ...metric, Threshold: 4 * 16_000 });
    expect(alarmsOf({ waits: 100 }).alarms.AlarmsWaitsHigh?.Threshold).toBe(4 * 80);
    expect(alarmsOf({ ingress: 'off' }).alarms).not.toHaveProperty('AlarmsWaitsHigh');
  });

  it.each(['Platform', 'Endpoint-echo'])('go off if a dead-letter queue of the stack %s has a message', (stack) => {
    const its = alarmsOf({}, stack);
    const isDead = (id: string) => id.includes('DeadLetters');
    const queues = Object.keys(its.template.findResources('AWS::SQS::Queue')).filter(isDead);
    expect(queues.length).toBeGreaterThan(0);
    for (const queue of queues)
      expect(its.alarms[`${queue.slice(0, -8)}Filled`]).toMatchObject({
        ...above,
        MetricName: 'ApproximateNumberOfMessagesVisible',
        Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [queue, 'QueueName'] } }],
        Threshold: 0,
      });
  });
});
