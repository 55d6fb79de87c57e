import { describe, expect, it } from '@jest/globals';
import { REPORT_GRACE, STOP_LIMIT } from '../../core/limits.ts';
import { type Chunks, chunkBuffer } from '../../core/streams/store.ts';
import type { Agent } from '../../worker/agent/agent.ts';
import { portsWith } from '../emulated-deployment.ts';
import { forever } from './agents.ts';
import { busyAgent, cancel, isOpen, stopPoll } from './busy-agent.ts';
import { agents, emulated, ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

const never = new Promise<never>(() => undefined);

describe('a job that is no longer the worker’s', () => {
  it('is sent to an open stop poll as soon as the agent has seen the loss', async () => {
    const { id, agent, door } = await busyAgent('st-a');
    const poll = stopPoll(door);
    await agent.watch();
    expect(await isOpen(poll, door)).toBe(true);
    await cancel('st-a', id);
    await agent.watch();
    expect(await poll).toEqual({ jobsToStop: [id] });
  });

  it('is sent once in every watch until the container says that it has no job', async () => {
    const { id, agent, door } = await busyAgent('st-b');
    await cancel('st-b', id);
    await agent.watch();
    expect(await stopPoll(door)).toEqual({ jobsToStop: [id] });
    // The gateway holds an answer back until no chunk is posted; the agent answers at once.
    const gone = new AbortController();
    expect(await isOpen(agent.stops(gone.signal), door)).toBe(true);
    gone.abort();
    const second = stopPoll(door);
    expect(await isOpen(second, door)).toBe(true);
    await agent.watch();
    expect(await second).toEqual({ jobsToStop: [id] });

    // It is still open when the test ends.
    const third = stopPoll(door).catch(() => 'closed');
    await fetch(`${door}/job-take/self?job_in_progress=0&wait=0`);
    await agent.watch();
    expect(await isOpen(third, door)).toBe(true);
    expect(await ports.jobs.read({ endpoint: 'st-b', id })).toMatchObject({ status: 'CANCELLED', attempt: 1 });
  });

  it('counts as stopped by a container that stops at once, when it polls again after it got the id twice', async () => {
    const { id, agent, door } = await busyAgent('st-l');
    const asked = `${door}/job-stop/self?stops=at-once`;
    const idleSince = async () => {
      await agent.beat();
      return (await ports.workers.read('st-l', 'w1'))?.idleSince;
    };
    await cancel('st-l', id);
    for (let told = 0; told < 2; told += 1) {
      const poll = fetch(asked);
      await agent.watch();
      expect(await (await poll).json()).toEqual({ jobsToStop: [id] });
      expect(await idleSince()).toBeUndefined();
    }
    // It is still open when the test ends.
    const third = fetch(asked).catch(() => 'closed');
    expect(await isOpen(third, door)).toBe(true);
    expect(await idleSince()).toBe(ports.clock.now());
    emulated.clock.advance(STOP_LIMIT);
    await agent.watch();
    expect(await isOpen(agent.stuck, door)).toBe(true);
  });

  it('is stored as TIMED_OUT if it ran out of time, and a report on it is dropped', async () => {
    const { id, agent, door } = await busyAgent('st-c', '{"input":{},"policy":{"executionTimeout":6000}}');
    emulated.clock.advance(6_001 + REPORT_GRACE);
    await agent.watch();
    expect(await ports.jobs.read({ endpoint: 'st-c', id })).toMatchObject({ code: 'EXECUTION_TIMEOUT' });
    const done = await fetch(`${door}/job-done/self/${id}`, { method: 'POST', body: '{"output":1}' });
    expect(done.status).toBe(200);
    expect(await ports.jobs.read({ endpoint: 'st-c', id })).toMatchObject({ status: 'TIMED_OUT' });
    // A report is a way to let go, too.
    emulated.clock.advance(STOP_LIMIT);
    await agent.watch();
    expect(await isOpen(agent.stuck, door)).toBe(true);
  });

  it('has its message deleted, and gets no other', async () => {
    const { id, agent } = await busyAgent('st-d');
    const calls: string[] = [];
    const { drop, send } = ports.jobQueues;
    ports.jobQueues.drop = async (message) => {
      await drop(message);
      calls.push(`drop ${message.job}`);
    };
    ports.jobQueues.send = async () => void calls.push('send');
    await cancel('st-d', id);
    await agent.watch();
    await agent.requeueAll();
    Object.assign(ports.jobQueues, { drop, send });
    expect(calls).toEqual([`drop ${id}`]);
  });

  it('is missing in the lease, in which the worker is busy all the same', async () => {
    const { id, agent } = await busyAgent('st-e');
    await cancel('st-e', id);
    await agent.watch();
    await agent.beat();
    const busy = await ports.workers.read('st-e', 'w1');
    expect(busy).toMatchObject({ jobs: [] });
    expect(busy).not.toHaveProperty('idleSince');
    await agent.requeueAll();
    await agent.beat();
    expect(await ports.workers.read('st-e', 'w1')).toMatchObject({ jobs: [], idleSince: ports.clock.now() });
  });

  it('stays with its other worker', async () => {
    const { id, agent } = await busyAgent('st-f');
    const facts = {
      $now: ports.clock.now(),
      $graceStart: 0,
      $worker: 'w1',
      $attempt: 1,
      $leaseEnds: 0,
      $generation: 0,
    };
    await ports.jobs.move('requeue', { endpoint: 'st-f', id }, facts);
    await ports.jobs.move('take', { endpoint: 'st-f', id }, { ...facts, $worker: 'w2' });
    await agent.watch();
    expect(await agent.stops(forever)).toEqual([id]);
    await agent.drain(0);
    expect(await ports.jobs.read({ endpoint: 'st-f', id })).toMatchObject({ status: 'IN_PROGRESS', worker: 'w2' });
  });
});

describe('a streaming job that must stop', () => {
  it('is stopped when the container has its answer to a chunk, so that it stops the handler and not the chunk', async () => {
    await emulated.deploy('st-m');
    const id = await agents.submit('st-m');
    const { promise: stored, resolve: store } = Promise.withResolvers<void>();
    const write: Chunks['write'] = async (...call) => {
      await stored;
      await ports.chunks.write(...call);
    };
    const chunks = { list: ports.chunks.list, write };
    const agent = await agents.start('st-m', 'w1', {}, portsWith(ports, { chunks }));
    await agent.next(forever);
    const door = `${await agents.open(agent)}/v2/st-m`;
    const answered: string[] = [];
    // It is larger than the buffer, so it is answered when it is stored.
    const body = JSON.stringify({ output: 'x'.repeat(chunkBuffer.bytes) });
    const posted = fetch(`${door}/job-stream/self/${id}`, { method: 'POST', body }).then(() => answered.push('chunk'));
    const told = stopPoll(door).then(() => answered.push('stop'));
    expect(await isOpen(posted, door)).toBe(true);
    await cancel('st-m', id);
    await agent.watch();
    setTimeout(store, 200);
    await Promise.all([posted, told]);
    expect(answered).toEqual(['chunk', 'stop']);
  });

  it('is stopped although an answer to its chunk is delayed', async () => {
    await emulated.deploy('st-n');
    const id = await agents.submit('st-n');
    const chunks = { list: ports.chunks.list, write: () => never };
    const agent = await agents.start('st-n', 'w1', {}, portsWith(ports, { chunks }));
    await agent.next(forever);
    const door = `${await agents.open(agent)}/v2/st-n`;
    const body = JSON.stringify({ output: 'x'.repeat(chunkBuffer.bytes) });
    const posted = fetch(`${door}/job-stream/self/${id}`, { method: 'POST', body }).catch(() => 'closed');
    expect(await isOpen(posted, door)).toBe(true);
    await cancel('st-n', id);
    await agent.watch();
    expect(await stopPoll(door)).toEqual({ jobsToStop: [id] });
  });

  it.each([
    ['requeued', (agent: Agent, id: string) => agent.requeue(id)],
    [
      'cancelled',
      async (agent: Agent, id: string) => {
        await cancel('st-cancelled', id);
        await agent.watch();
      },
    ],
  ])('stores no more chunks once it was %s', async (how, end) => {
    const endpoint = `st-${how.replace(' ', '-')}`;
    await emulated.deploy(endpoint);
    const id = await agents.submit(endpoint);
    const { promise: stored, resolve: store } = Promise.withResolvers<void>();
    let writes = 0;
    const write: Chunks['write'] = async (...call) => {
      writes += 1;
      await stored;
      await ports.chunks.write(...call);
    };
    const agent = await agents.start(endpoint, 'w1', {}, portsWith(ports, { chunks: { ...ports.chunks, write } }));
    await agent.next(forever);
    for (const output of ['1', '2']) await agent.chunk(id, output, undefined);
    await end(agent, id);
    store();
    for (let calls = 0; calls < 5; calls += 1) await ports.jobs.read({ endpoint, id });
    expect(writes).toBe(1);
  });
});
