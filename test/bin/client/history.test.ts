/** Tests `gpu-endpoints jobs ls` with the options of the history, over a service that records its requests. */
import { describe, expect, it } from '@jest/globals';
import { timeOf } from '../../../bin/client/time.ts';
import { parseOutput } from '../command-output.ts';
import { useClient } from './use-client.ts';

const NOW = '2026-11-29T08:00:00.000Z';

const earlierAttempt = {
  attempt: 1,
  worker: 'a',
  revision: 4,
  startedAt: NOW,
  endedAt: NOW,
  executionTime: 2_000,
  dollars: 0.00025,
  reason: 'WORKER_LOST',
};

const job = (id: string, endpoint: string) => ({
  id,
  endpoint,
  status: 'FAILED',
  code: 'WORKER_ERROR',
  error: 'no seed 17',
  endedAt: NOW,
  executionTime: 1_500,
  owner: 'ada',
  worker: 'w9',
  revision: 4,
});

const group = (fingerprint: string, count: number) => ({
  fingerprint,
  code: 'WORKER_ERROR',
  error: 'no seed 17',
  count,
  first: NOW,
  last: NOW,
  job: 'j1',
  workers: ['a', 'b', 'c'].map((worker) => ({ worker, count })),
  workerCount: 12,
  releases: [{ revision: 4, count }],
  keys: [{ key: '0a1b2c3d4e5f', count }],
  keyCount: 1,
});

/** Answers by path; `/jobs` has two pages. */
const answers: Readonly<Record<string, (query: URLSearchParams) => object>> = {
  '/v1/jobs': (query) =>
    query.has('job')
      ? { jobs: [{ ...job('j1', 'chat'), attempts: 2, worker: 'b', earlierAttempts: [earlierAttempt] }], readTo: NOW }
      : query.has('cursor')
        ? { jobs: [job('j2', 'draw')], readTo: NOW }
        : { jobs: [job('j1', 'chat')], readTo: NOW, nextCursor: 'next' },
  '/v1/endpoints': () => ({ endpoints: [{ id: 'chat' }, { id: 'draw' }] }),
  '/v1/endpoints/chat/failures': () => ({ failures: [group('a'.repeat(12), 2)], ended: 10, failed: 2, readTo: NOW }),
  '/v1/endpoints/draw/failures': () => ({
    failures: [group('b'.repeat(12), 3)],
    ended: 5,
    failed: 3,
    readTo: '2026-11-29T09:00:00.000Z',
    nextCursor: 'next',
  }),
};

const { requests, printed, noted, run } = useClient(
  ({ pathname, searchParams }) => answers[pathname]?.(searchParams) ?? {},
);

const list = (...args: string[]) => run('jobs', 'ls', ...args);

describe('jobs ls --since', () => {
  it('lists ended jobs of all endpoints, page by page', async () => {
    await list('--since', '2026-11-28', '--failed');
    expect(printed.join('\n')).toMatch(
      /JOB +ENDPOINT +STATUS .*\nj1 +chat +FAILED .* user ada +w9 +4 +no seed 17\nj2 +draw /,
    );
    const [first, second] = requests.map(({ searchParams }) => searchParams);
    expect(first?.get('status')).toBe('FAILED,TIMED_OUT');
    expect(second?.get('since')).toBe('2026-11-28');
    expect(second?.get('cursor')).toBe('next');
  });

  it('prints why in a line of its own on a terminal that is too narrow for it', async () => {
    const { columns, isTTY } = process.stdout;
    Object.assign(process.stdout, { columns: 60, isTTY: true });
    await list('--since', '2026-11-28');
    Object.assign(process.stdout, { columns, isTTY });
    expect(printed[2]).toBe('  no seed 17');
  });

  it('stops when it has as many jobs as are wanted, and says how to go on', async () => {
    await list('chat', '--error', 'a'.repeat(12), '--limit', '1');
    expect(requests).toHaveLength(1);
    expect(noted).toEqual(['There are more: --cursor next']);
  });

  it('groups failures of all endpoints by their errors, and says what was not counted', async () => {
    await list('--since', '12h', '--failed', '--group-by', 'error');
    expect(printed[1]).toMatch(/^ +3 +draw +bbbbbbbbbbbb .* a,b,c \+9 +4 +0a1b2c3d4e5f +WORKER_ERROR +no seed 17$/);
    expect(noted).toEqual([
      '5 of 15 jobs failed since 2026-11-29T09:00:00.000Z.',
      'draw has more jobs: --until 2026-11-29T09:00:00.000Z',
    ]);
  });

  it('prints groups in the recorded form with --json', async () => {
    await list('chat', '--since', '12h', '--group-by', 'error', '--json');
    const output = parseOutput<{ failures: { endpoint: string }[] }>('jobs ls --group-by', String(printed[0]));
    expect(output.failures).toMatchObject([{ endpoint: 'chat', count: 2 }]);
  });
});

describe('jobs ls --job', () => {
  it('lists each attempt with its worker and why it ended', async () => {
    await list('--job', 'j1');
    expect(printed[0]).toMatch(/^ATTEMPT +STATUS +ENDED +RAN +COST +RELEASE +WORKER +WHY$/);
    expect(printed[1]).toMatch(/^ +1 +IN_QUEUE .* 2.0 s +\$0.00025 +4 +a +WORKER_LOST$/);
    expect(printed[2]).toMatch(/^ +2 +FAILED .* b +no seed 17$/);
  });
});

describe('jobs ls', () => {
  it('needs an endpoint for jobs that are retained', async () => {
    await expect(list('--status', 'IN_QUEUE')).rejects.toThrow('The endpoint is missing.');
  });
});

describe('a time', () => {
  const now = Date.parse(NOW);

  it.each([
    ['90s', '2026-11-29T07:58:30.000Z'],
    ['15min', '2026-11-29T07:45:00.000Z'],
    ['12h', '2026-11-28T20:00:00.000Z'],
    ['7d', '2026-11-22T08:00:00.000Z'],
    ['2026-11-01', '2026-11-01'],
  ])('can be %s', (given, time) => {
    expect(timeOf(given, now)).toBe(time);
  });

  it.each(['yesterday', '12', 'h', '1w'])('cannot be %s', (given) => {
    expect(() => timeOf(given, now)).toThrow('a duration such as 90s');
  });
});
