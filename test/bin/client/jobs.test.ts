/** Tests what commands for jobs print for people. */
import { describe, expect, it } from '@jest/globals';
import { runAgainst } from './stub-service.ts';

const id = 'j'.repeat(36);
const NOW = '2026-11-29T08:00:00.000Z';
const failed = {
  id,
  status: 'FAILED',
  code: 'WORKER_ERROR',
  error: 'It broke.',
  delayTime: 10,
  executionTime: 20,
  attempts: 1,
};
const cancelled = { id, status: 'CANCELLED', code: 'CANCELLED', delayTime: 10, executionTime: 0, attempts: 0 };
const completed = { id, status: 'COMPLETED', output: 'hello', delayTime: 10, executionTime: 20, attempts: 1 };
const ofJob = [id, '--endpoint', 'chat'];

describe('jobs get', () => {
  it('says of a failed job where its log is and how to retry it', async () => {
    const { code, stderr } = await runAgainst(() => failed, ['jobs', 'get', ...ofJob, '--env', 'prod']);
    expect(code).toBe(0);
    expect(stderr).toBe(
      `Its log: npx gpu-endpoints logs chat --job ${id} --env prod\n` +
        `To retry it: npx gpu-endpoints jobs retry ${id} --endpoint chat --env prod\n`,
    );
  });

  it('says of a job that expired in the queue where the reason of waits is, as it has no log', async () => {
    const error = 'The job waited longer than its ttl of 10000 ms.';
    const expired = { ...failed, status: 'TIMED_OUT', code: 'QUEUE_TTL_EXPIRED', error, attempts: 0 };
    const cause = 'Why jobs of its endpoint wait: npx gpu-endpoints endpoints get chat\n';
    const { stderr } = await runAgainst(() => expired, ['jobs', 'get', ...ofJob]);
    expect(stderr).toBe(`${cause}To retry it: npx gpu-endpoints jobs retry ${id} --endpoint chat\n`);
    const waited = await runAgainst(() => expired, ['jobs', 'get', ...ofJob, '--wait']);
    expect(waited.stderr).toBe(`${id} is TIMED_OUT (QUEUE_TTL_EXPIRED): ${error}\n${cause}`);
  });

  it('prints of a cancelled job its status once, and no run time if it never ran', async () => {
    const { stdout } = await runAgainst(() => cancelled, ['jobs', 'get', ...ofJob]);
    expect(stdout).toMatch(/^Status +CANCELLED$/m);
    expect(stdout).not.toContain('Ran');
  });

  it('waits for the end of the job and prints its output', async () => {
    const respond = (path: string) =>
      path.includes('/status-sync/') ? completed : { ...completed, status: 'IN_PROGRESS', output: undefined };
    const printed = await runAgainst(respond, ['jobs', 'get', ...ofJob, '--wait']);
    expect(printed).toEqual({ code: 0, stdout: 'hello\n', stderr: '' });
  });

  it('prints the stream of the job', async () => {
    const respond = (path: string) => (path.includes('/stream/') ? [{ output: 'hel' }, { output: 'lo' }] : completed);
    const printed = await runAgainst(respond, ['jobs', 'get', ...ofJob, '--stream']);
    expect(printed).toEqual({ code: 0, stdout: 'hello\n', stderr: '' });
  });
});

describe('jobs retry', () => {
  it('waits for the end of the job', async () => {
    const respond = (path: string) => (path.includes('/retry/') ? { id, status: 'IN_QUEUE' } : failed);
    const { code, stderr } = await runAgainst(respond, ['jobs', 'retry', ...ofJob, '--wait']);
    expect(code).toBe(3);
    expect(stderr).toContain(`${id} is FAILED (WORKER_ERROR): It broke.\n`);
  });
});

describe('jobs cancel', () => {
  it('says that the job had ended', async () => {
    const { stdout } = await runAgainst(() => ({ id, status: 'COMPLETED' }), ['jobs', 'cancel', ...ofJob]);
    expect(stdout).toBe(`${id} had ended already: COMPLETED.\n`);
  });
});

describe('jobs ls', () => {
  it('accepts a status in lower case', async () => {
    const { stdout } = await runAgainst(() => ({ requests: [] }), ['jobs', 'ls', 'chat', '--status', 'failed']);
    expect(stdout).toBe('chat has no jobs that are FAILED.\n');
  });
});

describe('jobs ls of waiting jobs', () => {
  it('says once below the table what a reason means', async () => {
    const waiting = { ...failed, status: 'IN_QUEUE', code: undefined, waitReason: 'WORKERS_BUSY', createdAt: NOW };
    const { stdout, stderr } = await runAgainst(() => ({ requests: [waiting, waiting] }), ['jobs', 'ls', 'chat']);
    expect(stdout).not.toContain('every worker');
    expect(stderr).toBe('WORKERS_BUSY: every worker has a job.\n');
  });
});

describe('a waiting job', () => {
  it('says what its reason means, and names the command that says what helps', async () => {
    const waiting = {
      id,
      status: 'IN_QUEUE',
      waitReason: 'WORKERS_BUSY',
      delayTime: 10,
      executionTime: 0,
      attempts: 0,
    };
    const { stdout } = await runAgainst(() => waiting, ['jobs', 'get', ...ofJob, '--env', 'prod']);
    expect(stdout).toMatch(/^What helps +npx gpu-endpoints endpoints get chat --env prod$/m);
    expect(stdout).toMatch(/^Status +IN_QUEUE for 10 ms: WORKERS_BUSY \(every worker has a job\)$/m);
  });
});
