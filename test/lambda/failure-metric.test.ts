import { spawnSync } from 'node:child_process';
import { expect, it } from '@jest/globals';

const CODE = `
  const { countDelivery } = await import('./lambda/webhooks/failure-metric.ts');
  for (const hasFailed of [true, false]) countDelivery('echo', hasFailed);
`;

it('writes a sample for the endpoint and one for all endpoints, from which CloudWatch computes a rate', () => {
  // A separate process prints the metric, because the test checks its output.
  const env = { POWERTOOLS_METRICS_NAMESPACE: 'gpu-endpoints/Platform', POWERTOOLS_SERVICE_NAME: 'gpu-endpoints' };
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', CODE], { encoding: 'utf8', env });
  const lines = stdout.trim().split('\n');
  const written = lines.map((line) => {
    const { _aws, ...values } = JSON.parse(line);
    return [_aws.CloudWatchMetrics, values];
  });
  const metrics = (...dimensions: string[]) => [
    {
      Namespace: 'gpu-endpoints/Platform',
      Dimensions: [dimensions],
      Metrics: [{ Name: 'WebhookFailures', Unit: 'Count' }],
    },
  ];
  expect(written).toEqual([
    [metrics('service'), { service: 'gpu-endpoints', WebhookFailures: 1 }],
    [metrics('service', 'endpoint'), { service: 'gpu-endpoints', endpoint: 'echo', WebhookFailures: 1 }],
    [metrics('service'), { service: 'gpu-endpoints', WebhookFailures: 0 }],
    [metrics('service', 'endpoint'), { service: 'gpu-endpoints', endpoint: 'echo', WebhookFailures: 0 }],
  ]);
});
