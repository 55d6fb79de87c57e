import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import type { Payloads } from '../../core/jobs/store.ts';
import { payloadLimits } from '../../core/limits.ts';
import type { Agent } from '../../worker/agent/agent.ts';
import { createConcurrency } from '../../worker/agent/concurrency.ts';
import type { AgentLog } from '../../worker/agent/ports.ts';
import { forever, log } from './agents.ts';
import { agents, emulated, ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

interface Asking {
  readonly agent: Agent;
  /**
   * Asks for this many jobs, as the Python SDK does.
   * @returns their ids
   */
  ask(batch: number): Promise<string[]>;
  report(id: string): Promise<unknown>;
  /** Returns the number of jobs that the container asks for, from its lease. */
  asks(): Promise<number | undefined>;
}

/** Deploys an endpoint with this many waiting jobs, and starts the agent of its only worker. */
async function asking(endpoint: string, jobs: number, concurrency?: number, its: AgentLog = log): Promise<Asking> {
  await emulated.deploy(endpoint);
  for (let n = 0; n < jobs; n += 1) await agents.submit(endpoint);
  const agent = await agents.start(endpoint, 'w1', { log: its, concurrency });
  const url = `${await agents.open(agent)}/v2/${endpoint}`;
  return {
    agent,
    async ask(batch) {
      const response = await fetch(`${url}/job-take-batch/self?batch_size=${batch}`);
      return ((await response.json()) as { id: string }[]).map(({ id }) => id);
    },
    report: (id) => fetch(`${url}/job-done/self/${id}`, { method: 'POST', body: '{"output":1}' }),
    async asks() {
      await agent.beat();
      return (await ports.workers.read(endpoint, 'w1'))?.asks;
    },
  };
}

/** Asks until the container has this number of jobs. On a busy machine, they can come in several batches. */
async function jobsOf(count: number, ask: (missing: number) => Promise<string[]>): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push(...(await ask(count - ids.length)));
  expect(ids).toHaveLength(count);
  return ids;
}

/** Lets another worker take this number of jobs, which shows that the first worker has not taken these jobs. */
async function othersGet(endpoint: string, jobs: number): Promise<void> {
  const other = await agents.start(endpoint, 'w2');
  for (let n = 0; n < jobs; n += 1) await other.next(forever);
}

describe('a worker of an endpoint with `concurrency`', () => {
  it('holds no more jobs than `concurrency`, however many its container asks for', async () => {
    const { agent, ask, report } = await asking('ro-a', 5, 2);
    const [first = ''] = await jobsOf(2, () => ask(30));
    const single = agent.next(forever);
    const batch = ask(30);
    await othersGet('ro-a', 3);
    const late = await agents.submit('ro-a');
    await report(first);
    const [taken] = await Promise.race([single.then((offer) => [offer?.id]), batch]);
    expect(taken).toBe(late);
  });

  it('counts a cancelled job that its container still runs', async () => {
    const { agent, ask } = await asking('ro-b', 2, 1);
    const [id = ''] = await ask(1);
    const facts = { $now: ports.clock.now(), $graceStart: 0, $removeAfter: 1 };
    await ports.jobs.move('cancelRunning', { endpoint: 'ro-b', id }, facts);
    await agent.watch();
    const next = ask(1);
    await othersGet('ro-b', 1);
    const late = await agents.submit('ro-b');
    await agent.requeue(id);
    expect(await next).toEqual([late]);
  });
});

describe('the number of jobs that a container asks for', () => {
  it('is stored in the lease, as the largest sum of the jobs that the container has and the jobs that it asks for', async () => {
    const { ask, asks, report } = await asking('ro-c', 4);
    expect(await asks()).toBeUndefined();
    const ids = await jobsOf(3, ask);
    expect(await asks()).toBe(3);
    await ask(2);
    expect(await asks()).toBe(5);
    await Promise.all(ids.map(report));
    expect(await asks()).toBe(5);
  });

  it('is the sum over the slots of a container, if each takes one job', async () => {
    const { agent, asks } = await asking('ro-d', 0);
    const takes = ['slot-1', 'slot-2', 'slot-3'].map((taker) => agent.next(forever, taker));
    expect(await asks()).toBe(3);
    await agent.drain(0);
    await Promise.all(takes);
  });

  it('includes a job only once while its input is being loaded for one slot and another slot asks', async () => {
    await emulated.deploy('ro-g');
    const id = await agents.submit('ro-g', JSON.stringify({ input: { text: 'x'.repeat(payloadLimits.inline) } }));
    const [loading, loaded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const read: Payloads['read'] = async (...call) => {
      loading.resolve();
      await loaded.promise;
      return ports.payloads.read(...call);
    };
    const slow = portsWith(ports, { payloads: { ...ports.payloads, read } });
    const said: string[] = [];
    const its = { ...log, info: (message: string) => void said.push(message) };
    const agent = await agents.start('ro-g', 'w1', { log: its, ports: slow, concurrency: 2 });
    const first = agent.next(forever, 'self');
    await loading.promise;
    const second = agent.next(forever, 'self-2');
    await agent.beat();
    expect(await ports.workers.read('ro-g', 'w1')).toMatchObject({ jobs: [id], asks: 2 });
    loaded.resolve();
    expect(await first).toMatchObject({ id });
    const third = agent.next(forever, 'self-3');
    expect(said.filter((message) => message.startsWith('The container asks'))).toEqual([
      "The container asks for up to 3 jobs at the same time, and gets 2. This is the `concurrency` in the endpoint's file.",
    ]);
    await agent.drain(0);
    await Promise.all([second, third]);
  });

  it('ignores a call that only reports that the container has no job', async () => {
    const { agent, asks } = await asking('ro-e', 0);
    await agent.next(AbortSignal.abort());
    await agent.nextBatch(4, AbortSignal.abort());
    expect(await asks()).toBeUndefined();
  });

  it.each([
    [
      'is logged once if `concurrency` is not set',
      undefined,
      "The container asks for up to 3 jobs at the same time. The scaler uses this number; set `concurrency` in the endpoint's file to make it explicit.",
    ],
    [
      'is logged once, with the setting, if it exceeds `concurrency`',
      2,
      "The container asks for up to 3 jobs at the same time, and gets 2. This is the `concurrency` in the endpoint's file.",
    ],
    ['is not logged if it equals `concurrency`', 3, undefined],
  ])('%s', async (_, concurrency, sentence) => {
    const said: string[] = [];
    const its = { ...log, info: (message: string) => void said.push(message) };
    const { ask, report } = await asking(`ro-f${concurrency}`, 6, concurrency, its);
    for (let times = 0; times < 2; times += 1) await Promise.all((await ask(3)).map(report));
    expect(said.filter((message) => message.startsWith('The container asks'))).toEqual(sentence ? [sentence] : []);
  });
});

describe('a container that asks again before its call is answered', () => {
  it('is asking until its last call is answered', async () => {
    const concurrency = createConcurrency({ held: { own: () => [], size: 0 }, log, max: 1, isSet: true });
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const calls = [first, second].map(({ promise }) => concurrency.whileAsking('taker', 1, () => promise));
    first.resolve();
    await calls[0];
    expect(concurrency.isAsking()).toBe(true);
    second.resolve();
    await calls[1];
    expect(concurrency.isAsking()).toBe(false);
  });
});
