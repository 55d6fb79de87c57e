import { spawnSync } from 'node:child_process';
import { expect, it } from '@jest/globals';

const CODE = `
  const { reportSetAside } = await import('./lambda/set-aside.ts');
  const item = (endpoint, shard, reason) => ({ table: 'jobs', endpoint, partition: endpoint + '#' + shard, reason, name: 'secret' });
  reportSetAside([item('echo', 0, 'status: none'), item('echo', 0, 'status: none'), item('echo', 1, 'id: none'), item('b', 0, 'x')]);
  reportSetAside([]);
`;

it('logs set-aside items by partition and reason, and counts them per endpoint and in total', () => {
  // A separate process prints the metric, because the test checks its output.
  const env = { POWERTOOLS_METRICS_NAMESPACE: 'gpu-endpoints/Platform', POWERTOOLS_SERVICE_NAME: 'gpu-endpoints' };
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', CODE], {
    encoding: 'utf8',
    env,
  });
  const written = (stdout + stderr)
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  expect(stdout + stderr).not.toContain('secret');
  const lines = written.filter(({ message }) => message === 'Set aside.');
  expect(lines.map(({ table, partition, reason, count }) => [table, partition, reason, count])).toEqual([
    ['jobs', 'echo#0', 'status: none', 2],
    ['jobs', 'echo#1', 'id: none', 1],
    ['jobs', 'b#0', 'x', 1],
  ]);
  const metrics = written.filter(({ _aws }) => _aws);
  expect(metrics.map(({ _aws, ...values }) => [_aws.CloudWatchMetrics[0].Dimensions, values])).toEqual([
    [[['service']], { service: 'gpu-endpoints', SetAside: 3 }],
    [[['service', 'endpoint']], { service: 'gpu-endpoints', endpoint: 'echo', SetAside: 3 }],
    [[['service']], { service: 'gpu-endpoints', SetAside: 1 }],
    [[['service', 'endpoint']], { service: 'gpu-endpoints', endpoint: 'b', SetAside: 1 }],
  ]);
});
