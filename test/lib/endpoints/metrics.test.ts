import { describe, expect, it } from '@jest/globals';
import { App, Duration, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Alarm, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { endpointMetrics } from '../../../core/sweeper/measure.ts';
import { EndpointMetrics } from '../../../lib/endpoints/metrics.ts';
import { GpuEndpoints } from '../../../lib/gpu-endpoints.ts';

/** Returns an endpoint of a deployment of another app. */
function endpointIn(stack: Stack) {
  return GpuEndpoints.fromAttributes(stack, 'Gpu', { deployment: 'prod' }).endpoint('chat');
}

describe('the metrics of an endpoint', () => {
  it('are those that the sweeper writes, also for an endpoint of another app', () => {
    const stack = new Stack(new App(), 'Team');
    const endpoint = endpointIn(stack);
    const metrics = [
      endpoint.metricQueueDelay(),
      endpoint.metricQueueDepth(),
      endpoint.metricJobsEnded(),
      endpoint.metricJobsFailed(),
      endpoint.metricWorkersMissing(),
      endpoint.metricReleaseRolledBack(),
      endpoint.metricBudgetUsed(),
      endpoint.metricJobsRunning(),
      endpoint.metricWorkers(),
    ];
    for (const { namespace, dimensions } of metrics)
      expect([namespace, dimensions]).toEqual(['prod/Platform', { service: 'gpu-endpoints', endpoint: 'chat' }]);
    const names = Object.values(endpointMetrics).map(({ name }) => name);
    expect(new Set(metrics.map(({ metricName }) => metricName))).toEqual(new Set(names));
    expect(endpoint.metricVolumeUsedPercent()).toMatchObject({ namespace: 'prod', dimensions: { Endpoint: 'chat' } });
  });

  it('are refused if the deployment does not publish them', () => {
    const few = new EndpointMetrics('prod', 'chat', 'few');
    expect(few.metricQueueDepth()).toMatchObject({ metricName: 'gpu_endpoints.job.queue.depth' });
    expect(() => few.metricWorkers()).toThrow(
      'The context `endpointMetrics` is few, so `chat` has no metric gpu_endpoints.worker.count: set it to all.',
    );
    const none = new EndpointMetrics('prod', 'chat', 'none');
    expect(() => none.metricJobsFailedPercent()).toThrow('no metric gpu_endpoints.job.ended: set it to few or all.');
    expect(none.metricVolumeUsedPercent()).toMatchObject({ metricName: 'VolumeUsedPercent' });
    const gpu = new GpuEndpoints(new App(), 'Gpu', { settings: { endpointMetrics: 'all' } });
    const chat = gpu.addEndpoint('chat', { image: 'team/chat:1' });
    expect(chat.metricJobsRunning()).toMatchObject({ metricName: 'gpu_endpoints.job.running' });
  });

  it('have the options of the caller, and can be watched by alarms of an app', () => {
    const stack = new Stack(new App(), 'Team');
    const endpoint = endpointIn(stack);
    const metric = endpoint.metricQueueDelay({ statistic: Stats.AVERAGE, period: Duration.minutes(10) });
    expect(metric).toMatchObject({ statistic: 'Average', period: Duration.minutes(10) });
    const failures = endpoint.metricJobsFailedPercent({ minJobs: 5, period: Duration.minutes(30) });
    new Alarm(stack, 'Failing', { metric: failures, threshold: 1, evaluationPeriods: 1 });
    Template.fromStack(stack).hasResourceProperties('AWS::CloudWatch::Alarm', {
      Metrics: Match.arrayWith([
        Match.objectLike({ Expression: 'IF(ended >= 5, 100 * failed / ended, 0)' }),
        Match.objectLike({
          MetricStat: { Metric: Match.objectLike({ Namespace: 'prod/Platform' }), Period: 1_800, Stat: 'Sum' },
        }),
      ]),
    });
  });
});
