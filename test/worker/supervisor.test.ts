/** The SDK with real processes: the supervisor, its runner, and the processes of handlers. */
import { once } from 'node:events';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../acceptance/local-service.ts';
import { isAlive, isStopped, stateOf } from '../runner/processes.ts';
import { createSharedWorkers, died, type WorkerProcess } from './worker-process.ts';

const workers = createSharedWorkers();
let worker: WorkerProcess;
afterEach(() => workers.endOthers());
afterAll(() => workers.end());

/** Returns the process that runs jobs, from the answer to a job that reports it. */
async function answer(id: string): Promise<number> {
  worker.agent.give(id, { op: 'answer' });
  const { output } = (await worker.reported(id)) as { output: { pid: number } };
  return output.pid;
}

const reportedIds = () => worker.agent.reports.map(({ id }) => id);

describe('a worker', () => {
  it('runs its handler in a separate process and process group, which it reuses for the next job', async () => {
    worker = await workers.waiting();
    const runner = await answer('a');
    expect(runner).not.toBe(worker.pid);
    expect(stateOf(runner)?.group).toBe(runner);
    expect(await answer('b')).toBe(runner);
    expect(worker.agent.letGos).toBe(0);
  });

  it('passes the attempt to the handler, and reports the error that it throws', async () => {
    worker = await workers.waiting();
    worker.agent.give('a', { op: 'answer' }, 2);
    expect(await worker.reported('a')).toMatchObject({ output: { id: 'a', attempt: 2 } });
    worker.agent.give('b', {});
    expect(await worker.reported('b')).toEqual({ error: 'no such op' });
  });

  it('passes an input and an output of 20 MB', async () => {
    worker = await workers.waiting();
    const text = 'é'.repeat(10 * 1024 * 1024);
    worker.agent.give('a', { op: 'length', text });
    const { output } = (await worker.reported('a')) as { output: { length: number; text: string } };
    expect(output.length).toBe(text.length);
    expect(output.text === text).toBe(true);
  });
});

describe('a job that must stop', () => {
  it('ends without a report if its handler obeys the signal, and the process is reused', async () => {
    worker = await workers.waiting();
    worker.agent.give('a', { op: 'wait' });
    const runner = await worker.begun(1);
    worker.agent.stop('a');
    await eventually('the worker has released the job', () => worker.agent.letGos || undefined);
    expect(await answer('b')).toBe(runner);
    expect(reportedIds()).toEqual(['b']);
  });

  it.each([
    ['ignores the signal', 'ignore'],
    ['blocks the event loop', 'block'],
  ])('is killed with all child processes of its handler if the handler %s', async (_, op) => {
    worker = await workers.waiting();
    worker.agent.give('a', { op });
    const runner = await worker.begun(1);
    const child = await worker.handlerChild();
    const asked = Date.now();
    worker.agent.stop('a');
    await Promise.all([died(runner), died(child)]);
    expect(Date.now() - asked).toBeGreaterThan(1_900);
    expect(await answer('b')).not.toBe(runner);
    expect(reportedIds()).toEqual(['b']);
    expect(worker.agent.letGos).toBe(1);
  });

  it('does not stop another job', async () => {
    worker = await workers.waiting();
    worker.agent.give('a', { op: 'wait' });
    const runner = await worker.begun(1);
    worker.agent.stop('another');
    worker.agent.stop('a');
    await eventually('the worker has released the job', () => worker.agent.letGos || undefined);
    expect(isAlive(runner)).toBe(true);
  });
});

describe('a handler whose process exits', () => {
  it.each([
    ['on SIGKILL', { op: 'kill' }, 'signal SIGKILL'],
    ['with exit code 0', { op: 'exit', code: 0 }, 'exit code 0'],
    ['with exit code 3', { op: 'exit', code: 3 }, 'exit code 3'],
  ])('costs the job one attempt and the worker one process if it exits %s', async (_, input, sentence) => {
    worker = await workers.waiting();
    worker.agent.give('a', input);
    const runner = await worker.begun(1);
    await eventually('the worker has released the job', () => worker.agent.letGos || undefined);
    expect(await answer('b')).not.toBe(runner);
    expect(reportedIds()).toEqual(['b']);
    expect(worker.printed()).toContain(sentence);
    for (const { pid } of worker.events('child')) await died(pid);
  });

  it('is replaced if it exits while no job runs', async () => {
    worker = await workers.waiting();
    const runner = await answer('a');
    await eventually('the worker waits for a job', () => worker.agent.takes === 1 || undefined);
    process.kill(runner, 'SIGKILL');
    await eventually('the worker waits for a job again', () => worker.agent.takes === 2 || undefined);
    expect(await answer('b')).not.toBe(runner);
  });

  it('is started again after growing pauses if it exits during its start, and gets no job', async () => {
    worker = await workers.start({ BROKEN: 'yes' });
    worker.agent.give('a', { op: 'answer' });
    const [first, second] = await eventually('the process was started again', () => {
      const starts = worker.events('start');
      return starts.length > 1 ? starts : undefined;
    });
    await eventually('the log contains the pause', () => worker.printed().includes('in 2000 ms') || undefined);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect(worker.printed()).toContain('The model cannot be loaded.');
    expect(worker.agent.takes).toBe(0);
  });
});

describe('a worker that runs two jobs at the same time', () => {
  it('has a process for each job, and loses only one job if a process exits', async () => {
    worker = await workers.start({ CONCURRENCY: '2' });
    worker.agent.give('a', { op: 'wait' });
    const first = await worker.begun(1);
    worker.agent.give('b', { op: 'signal' });
    const second = await worker.begun(2);
    expect(second).not.toBe(first);
    process.kill(first, 'SIGKILL');
    await eventually('the worker has released the job', () => worker.agent.letGos || undefined);
    process.kill(second, 'SIGUSR2');
    expect(await worker.reported('b')).toEqual({ output: 'signalled' });
    expect(reportedIds()).toEqual(['b']);
    expect(worker.agent.letGoers).toHaveLength(1);
  });
});

describe('the supervisor', () => {
  it('reports the running job on SIGTERM, takes no other job, and leaves no process', async () => {
    worker = await workers.waiting();
    worker.agent.give('a', { op: 'signal' });
    const runner = await worker.begun(1);
    const ended = once(worker.process, 'exit');
    worker.process.kill('SIGTERM');
    worker.agent.give('b', { op: 'answer' });
    process.kill(runner, 'SIGUSR2');
    expect(await ended).toEqual([0, null]);
    expect(isAlive(runner)).toBe(false);
    expect(worker.agent.reports).toEqual([{ id: 'a', body: '{"output":"signalled"}' }]);
  });

  it('exits immediately on SIGTERM if it is idle', async () => {
    worker = await workers.waiting();
    const runner = await answer('a');
    const ended = once(worker.process, 'exit');
    worker.process.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(isAlive(runner)).toBe(false);
  });

  it.each([
    ['waits for the signal', 'wait'],
    ['ignores the signal', 'ignore'],
    ['blocks the event loop', 'block'],
  ])('leaves no process of its handler when it is killed, if the handler %s', async (_, op) => {
    worker = await workers.waiting();
    worker.agent.give('a', { op });
    const runner = await worker.begun(1);
    const children = op === 'wait' ? [] : [await worker.handlerChild()];
    worker.process.kill('SIGKILL');
    await Promise.all([runner, ...children].map(died));
  });

  it.each(['supervisor', 'runner'])('continues to run jobs after a pause of the %s process', async (who) => {
    worker = await workers.waiting();
    const runner = await answer('a');
    const paused = who === 'runner' ? runner : worker.pid;
    process.kill(paused, 'SIGSTOP');
    await eventually('the process is paused', () => isStopped(paused) || undefined);
    worker.agent.give('b', { op: 'answer' });
    process.kill(paused, 'SIGCONT');
    expect(await worker.reported('b')).toMatchObject({ output: { pid: runner } });
    expect(await answer('c')).toBe(runner);
  });

  it('can stop a job whose process is paused', async () => {
    worker = await workers.waiting();
    worker.agent.give('a', { op: 'wait' });
    const runner = await worker.begun(1);
    process.kill(runner, 'SIGSTOP');
    worker.agent.stop('a');
    await died(runner);
    expect(await answer('b')).not.toBe(runner);
  });
});
