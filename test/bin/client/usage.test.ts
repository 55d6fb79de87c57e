/** Tests the commands that print series and costs, against a deployment of the test. */
import { describe, expect, it } from '@jest/globals';
import { runAgainst } from './stub-service.ts';

const time = { busy: 90_000, idle: 0, starting: 30_000 };
const sums = {
  ended: { COMPLETED: 7, WORKER_ERROR: 2, QUEUE_TTL_EXPIRED: 1, CANCELLED: 4 },
  requeued: 1,
  delayTime: { p50: 10, p95: 4_500, p99: 6_000 },
  executionTime: { p50: 10, p95: 120_000, p99: 240_000 },
  maxWaiting: 12,
  ready: 1,
  stages: {},
  workerTime: time,
};
const cost = { jobs: 14, workerTime: time, dollars: { busy: 1.2, idle: 0.003, starting: 0.3, total: 1.503 } };

describe('endpoints series', () => {
  it('prints a line for each span, with failures and percentiles, and the sum', async () => {
    const point = { ...sums, from: '2030-01-31T12:00:00.000Z', dollars: { busy: 1.2, idle: 0, starting: 0.3 } };
    const { stdout, stderr, code } = await runAgainst(
      () => ({ step: 'hour', points: [point], total: sums, summedTo: '2030-01-31T12:30:00.000Z' }),
      ['endpoints', 'series', 'chat', '--since', '7d', '--step', 'hour'],
    );
    expect(code).toBe(0);
    const [head, line, all] = stdout.split('\n');
    expect(head).toMatch(/^HOUR \(UTC\) +COMPLETED +FAILED +WAIT P95 +RUN P95/);
    expect(line).toMatch(/^2030-01-31 12:00 +7 +3 +4\.5 s +2 min +12 +1 +90 s +\$1\.50$/);
    expect(all).toMatch(/^all +7 +3 /);
    expect(stderr).toContain('Summed up to 2030-01-31T12:30:00.000Z');
  });
});

describe('cost actual', () => {
  it('prints the cost of each group and the sum, and says what has no price', async () => {
    const { stdout, stderr } = await runAgainst(
      (_path, _count, query) => ({
        costs: [
          { ...cost, endpoint: 'chat', key: 'aaaaaaaaaaaa', unpricedTime: 0 },
          { ...cost, endpoint: 'chat', unpricedTime: 0 },
        ],
        total: { ...cost, unpricedTime: query.get('by') === 'endpoint,key' ? 7_200_000 : 0 },
        summedTo: '2030-01-31T12:30:00.000Z',
      }),
      ['cost', 'actual', '--by', 'endpoint,key'],
    );
    const [head, first, second, all] = stdout.split('\n');
    expect(head).toMatch(/^ENDPOINT +KEY +JOBS +BUSY +IDLE +STARTING +COST$/);
    expect(first).toMatch(/^chat +aaaaaaaaaaaa +14 +\$1\.20 +\$0\.0030 +\$0\.30 +\$1\.50$/);
    expect(second).toMatch(/^chat +no job /);
    expect(all).toMatch(/^all +14 /);
    expect(stderr).toContain('Without workers that ran for 2 h and have no price');
  });
});
