/** Tests scaling from zero to one worker and back, and stopped jobs, with npm start. */

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readOfProcess, stateOf } from '../runner/processes.ts';
import { startStopwatch } from '../runner/stopwatch.ts';
import { copyAssembly } from './assembly.ts';
import {
  call,
  descendants,
  eventually,
  holdingFile,
  jobIn,
  type LocalService,
  newStateDir,
  readStatus,
  startService,
  stopService,
  submit,
} from './local-service.ts';
import { changeEndpoint } from './moving-fleet.ts';

/** Minimum idle timeout of an endpoint, in milliseconds. */
const IDLE_TIMEOUT = 5_000;

const stateDir = newStateDir();
let service: LocalService;

beforeAll(async () => {
  const assembly = join(stateDir, 'changed-assembly');
  await copyAssembly(assembly);
  changeEndpoint(assembly, 'echo', { idleTimeout: IDLE_TIMEOUT, maxWorkers: 1 });
  service = await startService(stateDir, { args: ['--assembly', assembly] });
}, 120_000);
afterAll(async () => {
  await stopService(service);
});

interface Health {
  readonly jobs: Record<string, number>;
  readonly workers: Record<string, number>;
}

const health = async () => (await call(service, 'GET', `${service.JobApiUrl}/echo/health`)).json as unknown as Health;

/** Polls `/health` until the condition holds, and returns the response. */
const healthy = (what: string, holds: (health: Health) => boolean, within = 60_000) =>
  eventually(
    what,
    async () => {
      const record = await health();
      return holds(record) ? record : undefined;
    },
    { within },
  );

/** Returns the processes of workers, by the script that they run. */
const processesOf = (script: string) =>
  descendants(service.process.pid ?? 0).filter((pid) => readOfProcess(pid, 'cmdline').includes(script));

/** Returns the ids of all processes in the process group of the given process. */
function groupOf(pid: number): number[] {
  const group = stateOf(pid)?.group;
  return descendants(service.process.pid ?? 0).filter((process) => stateOf(process)?.group === group);
}

describe('the fleet', () => {
  it('has no worker at first, and starts none for jobs of low priority', async () => {
    expect((await health()).workers).toMatchObject({ ready: 0, initializing: 0 });
    const low = await submit(service, '{"input":{"n":"low"},"policy":{"lowPriority":true}}');
    // The ledger counts the job and scales the endpoint in the same invocation.
    const { workers } = await healthy('health counts the job', ({ jobs }) => jobs.inQueue === 1);
    expect(workers).toMatchObject({ ready: 0, initializing: 0 });
    expect(processesOf('worker/main.ts')).toEqual([]);
    const { json } = await readStatus(service, low.json.id);
    expect(json).toMatchObject({ status: 'IN_QUEUE', queuePosition: 1, waitReason: 'LOW_PRIORITY' });
  });

  it('immediately starts a worker for the first normal job, which also runs the low-priority job', async () => {
    const stopwatch = startStopwatch();
    const { json } = await submit(service, '{"input":{"op":"sleep","ms":1}}');
    const reasons = new Set<unknown>();
    let requested: number | undefined;
    const look = async () => {
      const { status, queuePosition, waitReason } = (await readStatus(service, json.id)).json;
      if (waitReason !== 'NO_WORKER') requested ??= stopwatch.milliseconds();
      if (status !== 'IN_QUEUE') return true;
      expect(queuePosition).toBe(1);
      reasons.add(waitReason);
      return undefined;
    };
    await eventually('the job is picked up', look, { every: 10 });
    const waited = stopwatch.milliseconds();
    stopwatch.stop();
    console.log(`picked up from 0 workers after ${waited} ms: ${[...reasons].join(', ')}`);
    expect(reasons.size).toBeGreaterThan(0);
    expect([...reasons]).toEqual(['NO_WORKER', 'SCALING_UP', 'WORKER_STARTING'].filter((each) => reasons.has(each)));
    const { delayTime } = (await jobIn(service, json.id, 'COMPLETED')).json;
    expect(delayTime).toBeGreaterThan(0);
    // Otherwise the sweep would request the worker, up to a minute later.
    expect(requested).toBeLessThan(10_000);
    // The start takes a few seconds on a quiet machine. This machine might be running other tests.
    expect(waited).toBeLessThan(30_000);
    await healthy('both jobs are done', ({ jobs }) => jobs.completed === 2);
    expect((await health()).workers).toMatchObject({ ready: 1 });
  });

  it('completes a job on a worker that loses its Spot capacity, and starts another worker', async () => {
    const { until, release } = holdingFile();
    const { json } = await submit(service, JSON.stringify({ input: { op: 'sleep', ms: 0, until } }));
    const running = await jobIn(service, json.id, 'IN_PROGRESS');
    const behind = await submit(service, '{"input":{"op":"sleep","ms":1}}');
    service.process.kill('SIGUSR2');
    const reclaimed = `The spot capacity of task ${running.json.workerId} is reclaimed`;
    await eventually('the capacity is reclaimed', () => service.printed().includes(reclaimed) || undefined);
    release();
    const done = await jobIn(service, json.id, 'COMPLETED');
    expect(done.json).toMatchObject({ workerId: running.json.workerId, attempts: 1 });
    // The worker without Spot capacity took no further job.
    const next = await jobIn(service, behind.json.id, 'COMPLETED');
    expect(next.json.workerId).not.toBe(running.json.workerId);
    expect(next.json.attempts).toBe(1);
  });

  it('has no workers again after the idle timeout', async () => {
    await healthy('no worker is left', ({ workers }) => workers.ready === 0 && workers.initializing === 0, 120_000);
    await eventually('the worker processes have exited', () => processesOf('worker/main.ts').length === 0 || undefined);
  }, 150_000);
});

interface LogLine {
  readonly source: string;
  readonly chosenBy: string;
  readonly message: string;
}

const logOf = async (id: unknown, query = '') =>
  (await call(service, 'GET', `${service.JobApiUrl}/echo/logs/${id}${query}`)).json as unknown as {
    readonly status: string;
    readonly lines: readonly LogLine[];
    readonly nextCursor?: string;
  };

describe('the log of a job', () => {
  it('contains the lines of the handler and of the agent, and no lines of the next job on the same worker', async () => {
    const waiting = await submit(service, '{"input":{"op":"print","lines":["none"]},"policy":{"lowPriority":true}}');
    expect(await logOf(waiting.json.id)).toMatchObject({ lines: [] });
    const jobs = await Promise.all(
      ['first', 'second', 'third'].map(async (word) => {
        const { json } = await submit(
          service,
          JSON.stringify({ input: { op: 'print', lines: [word, `${word} again`] } }),
        );
        return { id: String(json.id), word };
      }),
    );
    for (const { id, word } of jobs) {
      await jobIn(service, id, 'COMPLETED');
      const log = await eventually(`the lines of ${word} exist`, async () => {
        const read = await logOf(id);
        return read.lines.some(({ message }) => message.includes('Job ended.')) ? read : undefined;
      });
      const printed = log.lines.filter(({ source }) => source === 'worker');
      expect(printed.map(({ message }) => JSON.parse(message))).toEqual(
        [word, `${word} again`].map((message) => expect.objectContaining({ jobId: id, level: 'info', message })),
      );
      for (const { message } of log.lines) expect(message).toContain(id);
      expect(log.lines[0]?.message).toContain('Job taken.');
      expect(log).not.toHaveProperty('nextCursor');
      const page = await logOf(id, '?limit=1');
      expect(page.lines).toEqual(log.lines.slice(0, 1));
      expect((await logOf(id, `?cursor=${page.nextCursor}`)).lines).toEqual(log.lines.slice(1));
    }
    await jobIn(service, waiting.json.id, 'COMPLETED');
  }, 120_000);

  it('can be read only with a key, and only through its own endpoint', async () => {
    const { json } = await submit(service, '{"input":{}}');
    const at = (path: string) => call(service, 'GET', `${service.JobApiUrl}/${path}`);
    expect(await at(`echo-http/logs/${json.id}`)).toMatchObject({ status: 404, json: { code: 'JOB_NOT_FOUND' } });
    expect(await at(`echo/logs/${'0'.repeat(36)}`)).toMatchObject({ status: 404, json: { code: 'JOB_NOT_FOUND' } });
    const headers = { Authorization: 'Bearer nobody' };
    const refused = await call(service, 'GET', `${service.JobApiUrl}/echo/logs/${json.id}`, { headers });
    expect(refused).toMatchObject({ status: 401 });
    await jobIn(service, json.id, 'COMPLETED');
  }, 120_000);
});

describe('a running job that is stopped', () => {
  it('is CANCELLED immediately, its processes exit within 5 s, and the worker takes the next job', async () => {
    const { json } = await submit(service, '{"input":{"op":"sleep","ms":600000,"deaf":true}}');
    const running = await jobIn(service, json.id, 'IN_PROGRESS');
    const [supervisor, runner] = processesOf('examples/echo/main.ts');
    expect(supervisor).toBeDefined();
    const behind = await submit(service, '{"input":{"n":2}}');
    await eventually('the agent has reported that the worker is busy', async () => {
      const { waitReason, queuePosition } = (await readStatus(service, behind.json.id)).json;
      expect(queuePosition).toBe(1);
      return waitReason === 'WORKERS_BUSY' || undefined;
    });
    const group = groupOf(runner ?? 0);
    expect(group).toContain(runner);

    const stopwatch = startStopwatch();
    const answer = await call(service, 'POST', `${service.JobApiUrl}/echo/cancel/${json.id}`);
    expect(answer).toMatchObject({ status: 200, json: { id: json.id, status: 'CANCELLED' } });
    expect((await readStatus(service, json.id)).json).toMatchObject({ status: 'CANCELLED', code: 'CANCELLED' });
    await eventually('the process group is gone', () => groupOf(runner ?? 0).length === 0 || undefined, { every: 10 });
    const freed = stopwatch.milliseconds();
    stopwatch.stop();
    console.log(`process group gone ${freed} ms after the cancel`);
    expect(freed).toBeLessThan(5_000);

    const done = await jobIn(service, behind.json.id, 'COMPLETED');
    expect(done.json.workerId).toBe(running.json.workerId);
  }, 120_000);

  it('is TIMED_OUT after its execution timeout, and the worker takes the next job', async () => {
    const body = '{"input":{"op":"busy","ms":600000},"policy":{"executionTimeout":5001}}';
    const { json } = await submit(service, body);
    await jobIn(service, json.id, 'IN_PROGRESS');
    const ended = await jobIn(service, json.id, 'TIMED_OUT');
    expect(ended.json).toMatchObject({ code: 'EXECUTION_TIMEOUT', executionTime: 5001 });
    const next = await submit(service, '{"input":{"n":3}}');
    const done = await jobIn(service, next.json.id, 'COMPLETED');
    expect(done.json.workerId).toBe(ended.json.workerId);
  }, 120_000);
});

describe('a job that kills its worker in every attempt', () => {
  it('ends FAILED after three attempts, and the next job completes', async () => {
    const poison = await submit(service, '{"input":{"op":"crash"}}');
    const behind = await submit(service, '{"input":{"n":4}}');
    await jobIn(service, behind.json.id, 'COMPLETED');
    const failed = await jobIn(service, poison.json.id, 'FAILED');
    expect(failed.json).toMatchObject({ code: 'WORKER_LOST', attempts: 3 });
  }, 120_000);
});
