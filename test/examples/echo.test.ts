import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../acceptance/local-service.ts';
import { startWorkerProcess, type WorkerProcess } from '../worker/worker-process.ts';

let worker: WorkerProcess;
let folder: string;
const log = () => join(folder, 'effects');

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-echo-'));
  worker = await startWorkerProcess({ EFFECTS_LOG: log() }, 'examples/echo/main.ts');
});
afterEach(async () => {
  await worker.end();
  rmSync(folder, { recursive: true, force: true });
});

const effects = () =>
  readFileSync(log(), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { job: string; attempt: number; pid: number; event: string; at: number });

const letGo = (times: number) =>
  eventually('the worker has released its job', () => worker.agent.letGos === times || undefined);

describe('the example worker', () => {
  it('logs the starts and the effects of its handlers', async () => {
    worker.agent.give('a', { n: 1 }, 2);
    expect(await worker.reported('a')).toEqual({ output: { n: 1 } });
    const [start, effect, ...others] = effects();
    expect(start).toEqual({ job: 'a', attempt: 2, pid: expect.any(Number), event: 'start', at: expect.any(Number) });
    expect(effect).toEqual({ ...start, event: 'effect', at: expect.any(Number) });
    expect(others).toEqual([]);
  });

  it('returns which attempt had the effect, and runs for the time of that attempt', async () => {
    const input = { op: 'effect', ms: [600_000, 40], size: 3 };
    worker.agent.give('a', input, 2);
    const { output } = (await worker.reported('a')) as { output: { pid: number } };
    const [start, effect] = effects();
    expect(output).toEqual({ attempt: 2, pid: start?.pid, ballast: 'xxx' });
    expect((effect?.at ?? 0) - (start?.at ?? 0)).toBeGreaterThanOrEqual(39);
  });

  it('crashes only on the requested attempts', async () => {
    worker.agent.give('a', { op: 'crash', attempts: 1 }, 1);
    await letGo(1);
    worker.agent.give('b', { op: 'crash', code: 3 }, 7);
    await letGo(2);
    worker.agent.give('a', { op: 'crash', attempts: 1 }, 2);
    expect(await worker.reported('a')).toEqual({ output: { survived: 2 } });
    for (const end of ['signal SIGKILL', 'exit code 3']) expect(worker.printed()).toContain(end);
    expect(effects().map(({ event }) => event)).toEqual(['start', 'start', 'start', 'effect']);
  });

  it('sleeps until it is stopped, or is killed if it ignores signals', async () => {
    const begun = (jobs: number) => eventually('it has begun', () => (effects().length === jobs ? true : undefined));
    worker.agent.give('a', { op: 'sleep', ms: 600_000 });
    await eventually('it logs', () => existsSync(log()) || undefined);
    worker.agent.stop('a');
    await letGo(1);
    worker.agent.give('b', { op: 'sleep', ms: 600_000, deaf: true });
    await begun(2);
    worker.agent.stop('b');
    await letGo(2);
    worker.agent.give('c', { op: 'busy', ms: 50 });
    expect(await worker.reported('c')).toEqual({ output: { computed: 50 } });
    const [a, b, c] = effects().map(({ pid }) => pid);
    expect(b).toBe(a);
    expect(c).not.toBe(a);
  });

  it('streams, reports its progress, and returns the requested number of bytes', async () => {
    const streamed = () => worker.agent.chunks.map(({ body }) => JSON.parse(body).output as unknown);
    worker.agent.give('a', { op: 'stream', chunks: 2, size: 6 });
    expect(await worker.reported('a')).toEqual({ output: [] });
    expect(streamed()).toEqual(['xxxx', 'xxxx']);
    worker.agent.give('b', { op: 'progress', steps: 2 });
    expect(await worker.reported('b')).toEqual({ output: { steps: 2 } });
    expect(streamed().slice(2)).toEqual([1, 2].map((step) => ({ step, steps: 2 })));
    worker.agent.give('c', { op: 'bytes', size: 7 });
    expect(await worker.reported('c')).toEqual({ output: 'xxxxx' });
    expect(effects().map(({ job, event }) => [job, event])).toEqual(
      ['a', 'b', 'c'].flatMap((job) => ['start', 'effect'].map((event) => [job, event])),
    );
  });
});
