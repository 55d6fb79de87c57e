import { spawnSync } from 'node:child_process';
import { expect, it } from '@jest/globals';

const CODE = `
  const { publishMeasured } = await import('./lambda/sweeper/metrics.ts');
  const idle = { oldestSeconds: 0, waiting: 0, running: 0, workers: 0, missing: 0, ended: 0, failed: 0, isRolledBack: false };
  publishMeasured({ echo: idle, other: { ...idle, waiting: 2, oldestSeconds: 30, missing: 1 } }, 'few');
  publishMeasured({ echo: { ...idle, ended: 3, failed: 1 }, other: idle, back: { ...idle, isRolledBack: true } }, 'few');
  publishMeasured({ echo: { ...idle, ended: 3 } }, 'none');
  publishMeasured({ all: { ...idle, running: 4, workers: 2 } }, 'all');
`;

it('writes a line for each endpoint in which something happens, from which CloudWatch takes the metrics of the setting', () => {
  // A separate process prints the metric, because the test checks its output.
  const env = { POWERTOOLS_METRICS_NAMESPACE: 'gpu-endpoints/Platform', POWERTOOLS_SERVICE_NAME: 'gpu-endpoints' };
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', CODE], { encoding: 'utf8', env });
  const lines = stdout.trim().split('\n');
  const written = lines.map((line) => {
    const { _aws, ...values } = JSON.parse(line);
    return { ..._aws.CloudWatchMetrics[0], values };
  });
  const names = ['job.queue.oldest_age', 'job.queue.depth', 'job.ended', 'job.failed', 'worker.missing'];
  const metrics = (endpoint: string, numbers: readonly number[]) => ({
    Namespace: 'gpu-endpoints/Platform',
    Dimensions: [['service', 'endpoint']],
    Metrics: names.map((name) => ({
      Name: `gpu_endpoints.${name}`,
      Unit: name.endsWith('age') ? 'Seconds' : 'Count',
    })),
    values: {
      service: 'gpu-endpoints',
      endpoint,
      ...Object.fromEntries(names.map((name, n) => [`gpu_endpoints.${name}`, numbers[n]])),
    },
  });
  expect(written.slice(0, 2)).toEqual([metrics('other', [30, 2, 0, 0, 1]), metrics('echo', [0, 0, 3, 1, 0])]);
  expect(written.slice(2)).toMatchObject([
    { values: { endpoint: 'back', 'gpu_endpoints.release.rolled_back': 1 }, Metrics: { length: 1 } },
    {
      values: { endpoint: 'all', 'gpu_endpoints.job.running': 4, 'gpu_endpoints.worker.count': 2 },
      Metrics: { length: 7 },
    },
  ]);
});
