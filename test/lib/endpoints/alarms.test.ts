import { describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { SERVICE } from '../../../lib/constructs/function.ts';
import type { AlarmFields } from '../../../lib/endpoints/alarm-settings.ts';
import { EndpointAlarms } from '../../../lib/endpoints/alarms.ts';
import { declareEndpoint } from '../../../lib/endpoints/declaration.ts';

/** Returns the properties of the alarms of `echo` by the names of their constructs. */
function alarmsOf(fields?: AlarmFields, context: Readonly<Record<string, unknown>> = {}) {
  const stack = new Stack(new App({ context }), 'Endpoint-echo');
  new EndpointAlarms(stack, 'Alarms', 'echo', fields);
  const found = Object.entries(Template.fromStack(stack).findResources('AWS::CloudWatch::Alarm'));
  return Object.fromEntries(found.map(([id, { Properties }]) => [id.slice('Alarms'.length, -8), Properties]));
}

const Dimensions = [
  { Name: 'endpoint', Value: 'echo' },
  { Name: 'service', Value: SERVICE },
];
const above = { ComparisonOperator: 'GreaterThanThreshold', TreatMissingData: 'notBreaching' };
const ofSweeper = { Namespace: 'gpu-endpoints/Platform', Dimensions };

describe('the alarms of an endpoint', () => {
  it('go off after 15 minutes of waiting, after 15 minutes without workers, or if 20 % of the jobs fail', () => {
    const { Waiting, Failing, NoWorker } = alarmsOf();
    const maximum = { ...above, ...ofSweeper, Statistic: 'Maximum', EvaluationPeriods: 3 };
    expect(Waiting).toMatchObject({
      ...maximum,
      MetricName: 'gpu_endpoints.job.queue.oldest_age',
      Period: 60,
      Threshold: 900,
    });
    expect(NoWorker).toMatchObject({
      ...maximum,
      MetricName: 'gpu_endpoints.worker.missing',
      Period: 300,
      Threshold: 0,
    });
    const sum = (Id: string) => ({
      Id,
      ReturnData: false,
      MetricStat: { Metric: { ...ofSweeper, MetricName: `gpu_endpoints.job.${Id}` }, Period: 900, Stat: 'Sum' },
    });
    expect(Failing).toMatchObject({
      ...above,
      EvaluationPeriods: 1,
      Threshold: 20,
      Metrics: [{ Expression: 'IF(ended >= 10, 100 * failed / ended, 0)' }, sum('ended'), sum('failed')],
    });
  });

  it('have the thresholds of the endpoint, and those of the setting for its other fields', () => {
    const endpointAlarms = { oldestWaiting: 120_000, failedPercent: 3 };
    const { Waiting, Failing, NoWorker } = alarmsOf({ failedPercent: 50, noWorker: 200_000 }, { endpointAlarms });
    expect([Waiting?.Threshold, Failing?.Threshold]).toEqual([120, 50]);
    // A period of an alarm is a whole number of minutes.
    expect([NoWorker?.Period, NoWorker?.AlarmDescription]).toEqual([120, expect.stringContaining('for 6 minutes')]);
  });

  it('go off if a release was rolled back, webhooks fail, or volume or budget are nearly used up, if they have thresholds', () => {
    const fields = { rolledBack: 90_000, webhooksPercent: 30, volumePercent: 80, budgetPercent: 90 };
    const { RolledBack, WebhooksFailing, VolumeHigh, BudgetHigh } = alarmsOf(fields);
    expect(BudgetHigh).toMatchObject({
      ...above,
      ...ofSweeper,
      ...{ MetricName: 'gpu_endpoints.budget.used', Statistic: 'Maximum', Period: 60, Threshold: 90 },
      AlarmDescription: expect.stringMatching(/#what-do-i-do-when-a-budget-is-almost-spent$/),
    });
    expect(RolledBack).toMatchObject({
      ...above,
      ...ofSweeper,
      MetricName: 'gpu_endpoints.release.rolled_back',
      ...{ Statistic: 'Maximum', Period: 60, EvaluationPeriods: 2, Threshold: 0 },
      AlarmDescription: expect.stringMatching(/for 2 minutes\..*#what-do-i-do-when-a-release-was-rolled-back$/),
    });
    const of = (Id: string, Stat: string) => ({
      Id,
      MetricStat: { Metric: { ...ofSweeper, MetricName: 'WebhookFailures' }, Period: 900, Stat },
    });
    expect(WebhooksFailing).toMatchObject({
      ...above,
      Threshold: 30,
      Metrics: [{ Expression: 'IF(ended >= 10, 100 * rate, 0)' }, of('ended', 'SampleCount'), of('rate', 'Average')],
    });
    expect(VolumeHigh).toMatchObject({
      ...above,
      Namespace: 'gpu-endpoints',
      Dimensions: [{ Name: 'Endpoint', Value: 'echo' }],
      ...{ MetricName: 'VolumeUsedPercent', Statistic: 'Maximum', Period: 3_600, Threshold: 80 },
    });
    expect(Object.keys(alarmsOf())).toEqual(['Waiting', 'Failing', 'NoWorker']);
  });

  it('do not exist if their threshold is 0', () => {
    expect(Object.keys(alarmsOf({ oldestWaiting: 0, noWorker: 0 }))).toEqual(['Failing']);
    expect(alarmsOf({}, { endpointAlarms: { oldestWaiting: 0, failedPercent: 0, noWorker: 0 } })).toEqual({});
  });

  it('are only those on webhooks and the volume if the sweeper publishes no metrics', () => {
    const fields = {
      oldestWaiting: 60_000,
      rolledBack: 90_000,
      webhooksPercent: 30,
      volumePercent: 80,
      budgetPercent: 90,
    };
    const names = Object.keys(alarmsOf(fields, { endpointMetrics: 'none' }));
    expect(names).toEqual(['WebhooksFailing', 'VolumeHigh']);
  });

  it.each<[Readonly<Record<string, number>>, string]>([
    [{ oldestWaiting: 59_999 }, '`alarms.oldestWaiting` must be 0, or a whole number of milliseconds from 60000'],
    [{ failedPercent: 100 }, '`alarms.failedPercent` must be a whole number from 0 to 99, got 100'],
    [{ noWorker: 60_000 }, '`alarms.noWorker` must be 0, or a whole number of milliseconds from 180000 to 86400000'],
    [{ waiting: 1 }, '`alarms.waiting` is not a field; the fields are oldestWaiting, failedPercent, noWorker'],
  ])('are refused with the thresholds %j', (alarms, message) => {
    const fields = { image: 'team/worker:1', alarms };
    expect(() => declareEndpoint('echo', fields, { pools: [], others: [] })).toThrow(message);
  });

  it('are refused with a wrong setting', () => {
    expect(() => alarmsOf({}, { endpointAlarms: { failedPercent: -1 } })).toThrow(
      'The context `endpointAlarms.failedPercent` must be a whole number from 0 to 99, got -1.',
    );
  });
});
