import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { REPORT_GRACE, STOP_LIMIT } from '../../core/limits.ts';
import { type Chunks, chunkBuffer } from '../../core/streams/store.ts';
import type { Agent } from '../../worker/agent/agent.ts';
import { forever } from './agents.ts';
import { busyAgent, cancel, isOpen, stopPoll } from './busy-agent.ts';
import { emulated, ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

const never = new Promise<never>(() => undefined);

describe('a job that is no longer the worker’s', () => {
  it('is sent to an open stop poll as soon as the agent has detected the loss', async () => {
    const { id, agent, url } = await busyAgent('st-a');
    const poll = stopPoll(url);
    await agent.watch();
    expect(await isOpen(poll, url)).toBe(true);
    await cancel('st-a', id);
    await agent.watch();
    expect(await poll).toEqual({ jobsToStop: [id] });
  });

  it('is sent once on every watch until the container reports that it has no job', async () => {
    const { id, agent, url } = await busyAgent('st-b');
    await cancel('st-b', id);
    await agent.watch();
    expect(await stopPoll(url)).toEqual({ jobsToStop: [id] });
    // The gateway delays an answer until no chunk is being posted; the agent answers immediately.
    const gone = new AbortController();
    expect(await isOpen(agent.stops(gone.signal), url)).toBe(true);
    gone.abort();
    const second = stopPoll(url);
    expect(await isOpen(second, url)).toBe(true);
    await agent.watch();
    expect(await second).toEqual({ jobsToStop: [id] });

    // This poll is still open when the test ends.
    const third = stopPoll(url).catch(() => 'closed');
    await fetch(`${url}/job-take/self?job_in_progress=0&wait=0`);
    await agent.watch();
    expect(await isOpen(third, url)).toBe(true);
    expect(await ports.jobs.read({ endpoint: 'st-b', id })).toMatchObject({ status: 'CANCELLED', attempt: 1 });
  });

  it('counts as stopped if its container stops jobs immediately and polls again after it has received the id twice', async () => {
    const { id, agent, url } = await busyAgent('st-l');
    const asked = `${url}/job-stop/self?stops=at-once`;
    const idleSince = async () => {
      await agent.beat();
      return (await ports.workers.read('st-l', 'w1'))?.idleSince;
    };
    await cancel('st-l', id);
    for (let times = 0; times < 2; times += 1) {
      const poll = fetch(asked);
      await agent.watch();
      expect(await (await poll).json()).toEqual({ jobsToStop: [id] });
      expect(await idleSince()).toBeUndefined();
    }
    // This poll is still open when the test ends.
    const third = fetch(asked).catch(() => 'closed');
    expect(await isOpen(third, url)).toBe(true);
    expect(await idleSince()).toBe(ports.clock.now());
    emulated.clock.advance(STOP_LIMIT);
    await agent.watch();
    expect(await isOpen(agent.stuck, url)).toBe(true);
  });

  it('is stored as TIMED_OUT if it has timed out, and a report on it is dropped', async () => {
    const { id, agent, url, post } = await busyAgent('st-c', {
      body: '{"input":{},"policy":{"executionTimeout":6000}}',
    });
    emulated.clock.advance(6_001 + REPORT_GRACE);
    await agent.watch();
    expect(await ports.jobs.read({ endpoint: 'st-c', id })).toMatchObject({ code: 'EXECUTION_TIMEOUT' });
    const done = await post('job-done', id, '{"output":1}');
    expect(done.status).toBe(200);
    expect(await ports.jobs.read({ endpoint: 'st-c', id })).toMatchObject({ status: 'TIMED_OUT' });
    // A container can also release a job with a report.
    emulated.clock.advance(STOP_LIMIT);
    await agent.watch();
    expect(await isOpen(agent.stuck, url)).toBe(true);
  });

  it('has its message deleted, and gets no other message', async () => {
    const { id, agent } = await busyAgent('st-d');
    const calls: string[] = [];
    const { drop, send } = ports.jobQueues;
    ports.jobQueues.drop = async (message) => {
      calls.push(`drop ${message.job}`);
      await drop(message);
    };
    ports.jobQueues.send = async () => void calls.push('send');
    await cancel('st-d', id);
    await agent.watch();
    await agent.requeueAll();
    Object.assign(ports.jobQueues, { drop, send });
    expect(calls).toEqual([`drop ${id}`]);
  });

  it('is missing from the lease, which still shows the worker as busy', async () => {
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

  it('is not taken from the other worker that has it', async () => {
    const { id, agent } = await busyAgent('st-f');
    const facts = {
      $now: ports.clock.now(),
      $graceStart: 0,
      $worker: 'w1',
      $attempt: 1,
      $leaseEnds: 0,
      $reason: 'GIVEN_UP' as const,
      $generation: 0,
    };
    await ports.jobs.move('requeue', { endpoint: 'st-f', id }, facts);
    await ports.jobs.move(
      'take',
      { endpoint: 'st-f', id },
      { ...facts, $worker: 'w2', $revision: undefined, $aggregates: undefined },
    );
    await agent.watch();
    expect(await agent.stops(forever)).toEqual([id]);
    await agent.drain(0);
    expect(await ports.jobs.read({ endpoint: 'st-f', id })).toMatchObject({ status: 'IN_PROGRESS', worker: 'w2' });
  });
});

describe('a streaming job that must stop', () => {
  it('is stopped after the container has received the response to a chunk, so that the chunk itself is not aborted', async () => {
    const { promise: stored, resolve: store } = Promise.withResolvers<void>();
    const write: Chunks['write'] = async (...call) => {
      await stored;
      await ports.chunks.write(...call);
    };
    const chunks = { list: ports.chunks.list, write };
    const { id, agent, url, post } = await busyAgent('st-m', { ports: portsWith(ports, { chunks }) });
    const answered: string[] = [];
    // The chunk is larger than the buffer, so it is answered when it is stored.
    const body = JSON.stringify({ output: 'x'.repeat(chunkBuffer.bytes) });
    const posted = post('job-stream', id, body).then(() => answered.push('chunk'));
    const stopped = stopPoll(url).then(() => answered.push('stop'));
    expect(await isOpen(posted, url)).toBe(true);
    await cancel('st-m', id);
    await agent.watch();
    setTimeout(store, 200);
    await Promise.all([posted, stopped]);
    expect(answered).toEqual(['chunk', 'stop']);
  });

  it('is stopped although the answer to its chunk is delayed', async () => {
    const chunks = { list: ports.chunks.list, write: () => never };
    const { id, agent, url, post } = await busyAgent('st-n', { ports: portsWith(ports, { chunks }) });
    const body = JSON.stringify({ output: 'x'.repeat(chunkBuffer.bytes) });
    const posted = post('job-stream', id, body).catch(() => 'closed');
    expect(await isOpen(posted, url)).toBe(true);
    await cancel('st-n', id);
    await agent.watch();
    expect(await stopPoll(url)).toEqual({ jobsToStop: [id] });
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
  ])('stores no more chunks after it was %s', async (how, end) => {
    const endpoint = `st-${how}`;
    const { promise: stored, resolve: store } = Promise.withResolvers<void>();
    let writes = 0;
    const write: Chunks['write'] = async (...call) => {
      writes += 1;
      await stored;
      await ports.chunks.write(...call);
    };
    const its = portsWith(ports, { chunks: { ...ports.chunks, write } });
    const { id, agent } = await busyAgent(endpoint, { ports: its });
    for (const output of ['1', '2']) await agent.chunk(id, output, undefined);
    await end(agent, id);
    store();
    for (let calls = 0; calls < 5; calls += 1) await ports.jobs.read({ endpoint, id });
    expect(writes).toBe(1);
  });
});
