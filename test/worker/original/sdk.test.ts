/** Workers that were written with the original's Python SDK, unmodified, behind our agent. */
import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cancel } from '../../../core/jobs/cancel.ts';
import { recordOf } from '../../../core/jobs/record.ts';
import { stream } from '../../../core/jobs/stream.ts';
import { MINUTE, SECOND } from '../../../core/limits.ts';
import { defaultVariables, doorVariables } from '../../../core/workers/protocol.ts';
import type { Agent } from '../../../worker/agent.ts';
import { eventually } from '../../acceptance/local-service.ts';
import { type EmulatedWorld, startEmulatedWorld } from '../../emulated-world.ts';
import { type Agents, createAgents } from '../agents.ts';
import { hasPython, pythonWithSdk } from './python.ts';

const isRequired = process.env.REQUIRE_PYTHON === '1';
const describeWithPython = isRequired || hasPython() ? describe : describe.skip;

describeWithPython("a worker of the original's SDK", () => {
  let emulated: EmulatedWorld;
  let agents: Agents;
  let python: string;
  const children: ChildProcess[] = [];
  const clocks: NodeJS.Timeout[] = [];

  beforeAll(async () => {
    [python, emulated] = await Promise.all([pythonWithSdk(), startEmulatedWorld()]);
    agents = createAgents(emulated);
  }, 5 * MINUTE);

  afterAll(async () => {
    for (const clock of clocks) clearInterval(clock);
    // The SDK pings from a process of its own.
    for (const { pid } of children) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    await agents?.end();
    await emulated?.stop();
  });

  /** @param endpoint by default named as the mode of its handler */
  async function start(mode: string, endpoint = mode): Promise<Agent> {
    await emulated.deploy(endpoint);
    const agent = await agents.start(endpoint, 'w1');
    const { port } = new URL(await agents.open(agent));
    clocks.push(setInterval(() => void agent.watch(), SECOND));
    const env = { PATH: process.env.PATH, MODE: mode, ...defaultVariables, ...doorVariables(endpoint, Number(port)) };
    const child = spawn(python, ['test/worker/original/handler.py'], { env, detached: true, stdio: 'ignore' });
    children.push(child);
    return agent;
  }

  const submit = (mode: string, input: object) => agents.submit(mode, JSON.stringify({ input }));

  async function statusOf(mode: string, id: string): Promise<Record<string, unknown>> {
    const job = await emulated.world.jobs.read({ endpoint: mode, id });
    return job ? JSON.parse(await recordOf(emulated.world, job)) : {};
  }

  const ended = (mode: string, id: string) =>
    eventually(`job ${id} has ended`, async () => {
      const status = await statusOf(mode, id);
      return ['COMPLETED', 'FAILED'].includes(String(status.status)) ? status : undefined;
    });

  async function chunksOf(mode: string, id: string): Promise<unknown> {
    let text = '';
    for await (const piece of await stream(emulated.world, { endpoint: mode, id })) text += piece;
    return (JSON.parse(text) as { output: unknown }[]).map(({ output }) => output);
  }

  describe('with a plain handler', () => {
    beforeAll(async () => {
      await start('plain');
    });
    const outcome = async (input: object) => ended('plain', await submit('plain', input));

    it('gets the input, and its result is the output', async () => {
      expect(await outcome({ text: 'hello' })).toMatchObject({
        status: 'COMPLETED',
        output: { echo: { text: 'hello' } },
      });
    });

    it('fails the job when it raises, with what the SDK tells of it', async () => {
      const { status, error } = await outcome({ op: 'raise' });
      expect(status).toBe('FAILED');
      expect(JSON.parse(String(error))).toMatchObject({ error_message: 'no such model', worker_id: 'self' });
    });

    it('fails the job when it returns an error, and the rest is the output', async () => {
      expect(await outcome({ op: 'error' })).toMatchObject({
        status: 'FAILED',
        error: 'the prompt is empty',
        output: { hint: 'send a prompt' },
      });
    });

    it('completes a job without output when it returns nothing', async () => {
      const { status, output } = await outcome({ op: 'empty' });
      expect({ status, output }).toEqual({ status: 'COMPLETED', output: undefined });
    });

    it('sends 20 MB', async () => {
      const size = 20 * 1024 * 1024 - 2;
      const { status, output, error } = await outcome({ op: 'large', size });
      expect({ status, size: String(output).length, error }).toEqual({ status: 'COMPLETED', size, error: undefined });
    });

    it('shows how far it is', async () => {
      const id = await submit('plain', { op: 'progress', seconds: 2 });
      const seen = await eventually('the progress is there', async () => {
        const { status, output } = await statusOf('plain', id);
        return status === 'IN_PROGRESS' && output ? output : undefined;
      });
      expect(seen).toEqual({ step: 1 });
      expect(await ended('plain', id)).toMatchObject({ status: 'COMPLETED', output: { steps: 1 } });
    });
  });

  it('runs four jobs at once', async () => {
    await start('concurrent');
    const ids = await Promise.all([1, 2, 3, 4].map((n) => submit('concurrent', { n, seconds: 3 })));
    await eventually('all four run', async () => {
      const all = await Promise.all(ids.map((id) => statusOf('concurrent', id)));
      return all.every(({ status }) => status === 'IN_PROGRESS') || undefined;
    });
    for (const id of ids) expect(await ended('concurrent', id)).toMatchObject({ status: 'COMPLETED' });
  });

  describe('with a generator', () => {
    beforeAll(async () => {
      await Promise.all([start('generator'), start('aggregate')]);
    });

    it('streams what it yields', async () => {
      const id = await submit('generator', { count: 3 });
      expect(await ended('generator', id)).toMatchObject({ status: 'COMPLETED', output: [] });
      expect(await chunksOf('generator', id)).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
    });

    it('streams and returns it, when it aggregates', async () => {
      const id = await submit('aggregate', { count: 2 });
      expect(await ended('aggregate', id)).toMatchObject({ status: 'COMPLETED', output: [{ n: 0 }, { n: 1 }] });
      expect(await chunksOf('aggregate', id)).toEqual([{ n: 0 }, { n: 1 }]);
    });

    it('fails the job when it raises in the middle', async () => {
      const id = await submit('generator', { count: 3, fail: 1 });
      expect(await ended('generator', id)).toMatchObject({
        status: 'FAILED',
        error: expect.stringContaining('the stream broke'),
      });
      expect(await chunksOf('generator', id)).toEqual([{ n: 0 }]);
    });
  });

  it('gets no more jobs when it asks to be replaced', async () => {
    const agent = await start('plain', 'refresh');
    const id = await submit('refresh', { op: 'refresh' });
    await agent.retired;
    expect(await statusOf('refresh', id)).toMatchObject({ status: 'COMPLETED', output: { done: true } });
    const later = await submit('refresh', { text: 'later' });
    expect(await agent.next(AbortSignal.timeout(2 * SECOND))).toBeUndefined();
    expect(await statusOf('refresh', later)).toMatchObject({ status: 'IN_QUEUE' });
  });

  it('stops a job that is cancelled', async () => {
    await start('concurrent', 'stopped');
    const id = await submit('stopped', { seconds: 300 });
    const job = await eventually('the job runs', async () => {
      const found = await emulated.world.jobs.read({ endpoint: 'stopped', id });
      return found?.status === 'IN_PROGRESS' ? found : undefined;
    });
    await cancel(emulated.world, job);
    // Its slots are free again: as many jobs run at once as before.
    const ids = await Promise.all([1, 2, 3, 4].map((n) => submit('stopped', { n, seconds: 1 })));
    for (const next of ids) expect(await ended('stopped', next)).toMatchObject({ status: 'COMPLETED' });
    expect(await statusOf('stopped', id)).toMatchObject({ status: 'CANCELLED' });
  });
});
