/** Tests what commands print of the lines of workers, and of endpoints. */
import { describe, expect, it } from '@jest/globals';
import { runAgainst } from './stub-service.ts';

const LIVING = `1234abcd${'0'.repeat(24)}`;
const ENDED = `5678abcd${'0'.repeat(24)}`;
const id = 'j'.repeat(36);
const line = (worker: string, message: string) => ({ time: '2030-01-31T12:00:00Z', source: 'agent', worker, message });
const lines = [
  line(LIVING, JSON.stringify({ level: 'info', message: 'Job taken.', jobId: id })),
  line(ENDED, 'It ended.'),
];

/** Answers as an endpoint with one living worker and lines of two. */
function respond(path: string, _count: number, query: URLSearchParams) {
  if (path.endsWith('/workers')) return { workers: [{ id: LIVING }] };
  const worker = query.get('worker');
  return { lines: lines.filter((each) => worker === null || each.worker === worker) };
}

describe('logs', () => {
  it('prints the job of a line', async () => {
    const { stdout } = await runAgainst(respond, ['logs', 'chat', '--source', 'agent']);
    expect(stdout).toContain(`1234abcd  INFO Job taken. (job ${id})\n`);
    const ofJob = await runAgainst(respond, ['logs', 'chat', '--job', id]);
    expect(ofJob.stdout).toContain('INFO Job taken.\n');
  });

  it('says which attempt the lines of a job are of, and where those of earlier ones are', async () => {
    const page = { id, status: 'FAILED', attempts: 3, lines: [lines[1]] };
    const { stderr } = await runAgainst(() => page, ['logs', 'chat', '--job', id, '--env', 'prod']);
    expect(stderr).toContain('These are the lines of attempt 3.');
    expect(stderr).toContain('npx gpu-endpoints logs chat --since 1h --env prod');
    const none = await runAgainst(() => ({ ...page, lines: [] }), ['logs', 'chat', '--job', id]);
    expect(none.stderr).toContain('its worker has printed nothing');
  });

  it.each([
    ['a living worker', '1234abcd', 'Job taken.'],
    ['a worker that has ended', '5678abcd', 'It ended.'],
    ['a worker with its whole id', ENDED, 'It ended.'],
  ])('prints the lines of %s', async (_, worker, message) => {
    const { stdout } = await runAgainst(respond, ['logs', 'chat', '--worker', worker]);
    expect(stdout.trim().split('\n')).toEqual([expect.stringContaining(message)]);
  });

  it('prints the lines of the last worker that crashed before its first job, and why it stopped', async () => {
    const worker = (id: string, readySince?: string) => ({ id, readySince, endedAt: '2030-01-31T12:00:05Z' });
    const crashed = { ...worker(ENDED), createdAt: '2030-01-31T11:59:00Z', exitCode: 137, reason: 'OutOfMemory' };
    const unneeded = { ...worker(LIVING), exitCode: 0, reason: 'Scaling activity initiated by (deployment 1)' };
    const list = (workers: readonly object[]) => (path: string, count: number, query: URLSearchParams) =>
      path.endsWith('/ended') ? { workers, readTo: '2030-01-30T12:00:00Z' } : respond(path, count, query);
    const { stdout, stderr } = await runAgainst(list([worker(LIVING, '2030-01-31T11:00:00Z'), unneeded, crashed]), [
      ...['logs', 'chat', '--start'],
    ]);
    expect(stdout.trim().split('\n')).toEqual([expect.stringContaining('It ended.')]);
    expect(stderr).toContain('with exit code 137, before it asked for a job: OutOfMemory');
    const none = await runAgainst(list([]), ['logs', 'chat', '--start']);
    expect([none.code, none.stderr]).toEqual([
      1,
      'No worker of chat has failed before it asked for a job since 2030-01-30T12:00:00Z.\n',
    ]);
  });

  it('refuses the beginning of no id, or of several', async () => {
    const none = await runAgainst(respond, ['logs', 'chat', '--worker', '9']);
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringContaining('No worker of chat has an id that begins with 9'),
    ]);
    const both = await runAgainst(
      (path, ...rest) =>
        path.endsWith('/workers') ? { workers: [{ id: '12' }, { id: '13' }] } : respond(path, ...rest),
      ['logs', 'chat', '--worker', '1'],
    );
    expect([both.code, both.stderr]).toEqual([1, '1 begins the ids of several workers: 12, 13.\n']);
  });
});

describe('endpoints get', () => {
  it('prints the names of the example inputs', async () => {
    const endpoint = {
      id: 'chat',
      minWorkers: 0,
      maxWorkers: 1,
      executionTimeout: 1000,
      idleTimeout: 1000,
      category: 'small',
      protocol: 'worker',
      template: { id: 'chat' },
      examples: [
        { name: 'a greeting', input: {} },
        { name: 'a poem', input: {} },
      ],
      health: {
        jobs: { inQueue: 0, inProgress: 0, completed: 0, failed: 0 },
        workers: { running: 0, idle: 0, initializing: 0, unhealthy: 0, ready: 0 },
      },
    };
    const { stdout } = await runAgainst(() => endpoint, ['endpoints', 'get', 'chat']);
    expect(stdout).toMatch(/^Examples +a greeting, a poem$/m);
  });
});
