/** Tests commands that wait for a job, against a service whose answers come in an order that is rare. */
import { describe, expect, it } from '@jest/globals';
import { CallFailed } from '../../../bin/client/call.ts';
import { persistently } from '../../../bin/client/persistently.ts';
import { BROKEN, runAgainst } from './stub-service.ts';

const id = 'j'.repeat(36);
const accepted = { id, status: 'IN_QUEUE' };
const record = (status: string, attempts: number, more: object = {}) => ({
  id,
  status,
  attempts,
  delayTime: 10,
  executionTime: attempts === 0 ? 0 : 20,
  ...more,
});
const run = ['run', 'chat', '--input', '{}'];
const get = `npx gpu-endpoints jobs get ${id} --endpoint chat`;
const goesOn = `${id} goes on. Its state: ${get}\nTo wait for its end: ${get} --wait\n`;

/** Answers with statuses and with the chunks of the stream from the first one that is asked for. */
const streaming =
  (statuses: readonly object[], chunks: readonly (readonly object[])[]) => (path: string, count: number) => {
    if (path === '/chat/run') return accepted;
    return (path === `/chat/status/${id}` ? statuses[count] : chunks[count]) ?? [500, { error: 'too many calls' }];
  };

describe('run --stream', () => {
  it('does not report a lost worker when chunks arrive before the status of the first attempt', async () => {
    const { code, stdout, stderr } = await runAgainst(
      streaming([record('IN_QUEUE', 0), record('COMPLETED', 1)], [[{ output: 'a' }], [{ output: 'b' }]]),
      [...run, '--stream'],
    );
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'ab\n', stderr: '' });
    const running = await runAgainst(
      streaming(
        [record('IN_QUEUE', 0), record('IN_PROGRESS', 1), record('COMPLETED', 1)],
        [[{ output: 'a' }], [{ output: 'b' }], []],
      ),
      [...run, '--stream'],
    );
    expect(running).toEqual({ code: 0, stdout: 'ab\n', stderr: '' });
  });

  it('reports a lost worker when a second attempt begins', async () => {
    const { stdout, stderr } = await runAgainst(
      streaming(
        [record('IN_PROGRESS', 1), record('IN_PROGRESS', 2), record('COMPLETED', 2)],
        [[{ output: 'a' }], [{ output: 'a' }, { output: 'b' }], []],
      ),
      [...run, '--stream'],
    );
    expect(stdout).toBe('aab\n');
    expect(stderr).toContain('The worker was lost.');
  });

  it('says why the job waits until its first chunk', async () => {
    const waiting = record('IN_QUEUE', 0, { waitReason: 'WORKER_EXITS', queuePosition: 2 });
    const { stdout, stderr } = await runAgainst(
      streaming([waiting, waiting, record('COMPLETED', 1)], [[], [], [{ output: 'a' }]]),
      [...run, '--stream'],
    );
    expect(stdout).toBe('a\n');
    expect(stderr.match(/WORKER_EXITS/g)).toHaveLength(1);
  });

  it('ends no line twice', async () => {
    const { stdout } = await runAgainst(streaming([record('COMPLETED', 1)], [[{ output: { i: 1 } }]]), [
      ...run,
      '--stream',
    ]);
    expect(stdout).toBe('{"i":1}\n');
  });

  it('ends quietly when the reader of its output has ended', async () => {
    const running = record('IN_PROGRESS', 1);
    const chunks = [{ output: 'a' }];
    const { code, stderr } = await runAgainst(
      streaming([running, running, running, record('COMPLETED', 1)], [chunks, chunks, chunks, chunks]),
      [...run, '--stream'],
      { isClosed: true },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('prints with --json why the job failed', async () => {
    const failed = record('FAILED', 1, { code: 'WORKER_ERROR', error: 'It broke.' });
    const printed = await runAgainst(streaming([failed], [[]]), [...run, '--stream', '--json']);
    expect(printed).toMatchObject({ code: 3, stdout: '' });
    expect(printed.stderr).toBe(
      `${id} is FAILED (WORKER_ERROR): It broke.\nIts log: npx gpu-endpoints logs chat --job ${id}\n`,
    );
  });
});

const refusal = [401, { error: 'This key may not do that.', code: 'UNAUTHORIZED' }] as const;

describe('a command that waits', () => {
  it('polls the status with a key that may not wait for it', async () => {
    const statuses = [record('IN_QUEUE', 0), record('COMPLETED', 1, { output: 'hello' })];
    const printed = await runAgainst(
      (path, count) => (path === '/chat/run' ? accepted : (path.includes('/status/') && statuses[count]) || refusal),
      [...run, '--wait'],
    );
    expect(printed).toEqual({ code: 0, stdout: 'hello\n', stderr: 'IN_QUEUE for 10 ms\n' });
  });

  it('shows the progress that the worker reports, without what moves the cursor', async () => {
    const reports = [record('IN_PROGRESS', 1, { output: 'step 1\n\u001b[2Kof 3' }), record('COMPLETED', 1)];
    const { stderr } = await runAgainst(
      (path, count) => (path === '/chat/run' ? accepted : (reports[count] ?? refusal)),
      [...run, '--wait'],
    );
    expect(stderr).toBe('IN_PROGRESS for 20 ms: step 1 [2Kof 3\n');
  });

  it.each(['--wait', '--stream'])('ends with the id of the job when %s is not permitted', async (option) => {
    const { code, stderr } = await runAgainst((path) => (path === '/chat/run' ? accepted : refusal), [...run, option]);
    expect(code).toBe(1);
    expect(stderr).toContain(`This key may not do that. (UNAUTHORIZED)\n${goesOn}`);
  });

  it('reads again when the connection breaks', async () => {
    const { code, stdout, stderr } = await runAgainst(
      (path, count) =>
        path === '/chat/run' ? accepted : count === 0 ? BROKEN : record('COMPLETED', 1, { output: 'hello' }),
      [...run, '--wait'],
    );
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'hello\n',
      stderr: 'No connection. The next attempt is in 1 s.\n',
    });
  });

  it('names the profile of the user in the commands that it suggests', async () => {
    const { stderr } = await runAgainst(() => accepted, [...run, '--env', 'prod']);
    expect(stderr).toBe(`Its state: ${get} --env prod\n`);
  });
});

describe('a read of a job', () => {
  it('is repeated for a minute with increasing pauses', async () => {
    const pauses: number[] = [];
    const unreachable = new CallFailed('The service cannot be reached.', { code: 'UNREACHABLE' });
    const reading = persistently(
      () => Promise.reject(unreachable),
      (milliseconds) => {
        pauses.push(milliseconds);
        return Promise.resolve();
      },
    );
    await expect(reading).rejects.toBe(unreachable);
    expect(pauses.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(60_000);
    expect(pauses.toSorted((one, other) => one - other)).toEqual(pauses);
  });

  it('is not repeated when the service refuses it', async () => {
    const refusal = new CallFailed('This key may not do that.', { code: 'UNAUTHORIZED' });
    await expect(
      persistently(
        () => Promise.reject(refusal),
        () => Promise.reject(new Error('It paused.')),
      ),
    ).rejects.toBe(refusal);
  });
});

describe('run --policy', () => {
  it('refuses a field that the service would ignore', async () => {
    const { code, stderr } = await runAgainst(() => accepted, [...run, '--policy', '{"executiontimeout":6000}']);
    expect([code, stderr]).toEqual([1, '--policy has no field executiontimeout: Did you mean executionTimeout?\n']);
  });
});
