import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import type { Jobs, Payloads } from '../../core/jobs/store.ts';
import { BEAT, LEASE } from '../../core/limits.ts';
import { forever } from './agents.ts';
import { busyAgent } from './busy-agent.ts';
import { agents, emulated, ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

const submit = (endpoint: string, body?: string) => agents.submit(endpoint, body);
const read = (endpoint: string, id: string) => ports.jobs.read({ endpoint, id });

describe('an agent', () => {
  it('returns a job with its input as it was sent, and stores the report', async () => {
    const [normalQueueUrl] = (await emulated.deploy('ag-a')).normalQueueUrls;
    const id = await submit('ag-a');
    const agent = await agents.start('ag-a', 'w1');
    expect(await agent.next(forever)).toEqual({ id, attempt: 1, input: '{"n":12345678901234567890}' });
    await agent.report(id, { output: '[-0]' });
    expect(await read('ag-a', id)).toMatchObject({ status: 'COMPLETED', output: { inline: '[-0]' }, worker: 'w1' });
    expect(await emulated.nextMessage(normalQueueUrl)).toBeUndefined();
  });

  it("has a lease before it takes a job, and adds the job's id to the lease with the next beat", async () => {
    const { id, agent } = await busyAgent('ag-b');
    expect(await ports.workers.read('ag-b', 'w1')).toMatchObject({ jobs: [], endsAt: emulated.clock.now() + LEASE });
    await agent.beat();
    expect(await ports.workers.read('ag-b', 'w1')).toMatchObject({ jobs: [id] });
  });

  it("stores the time of its container's first request in its lease before a job can crash the container", async () => {
    await emulated.deploy('ag-r');
    const agent = await agents.start('ag-r', 'w1');
    await agent.beat();
    expect(await ports.workers.read('ag-r', 'w1')).toMatchObject({ readySince: null });
    const since = emulated.clock.now();
    await submit('ag-r');
    await agent.next(forever);
    expect(await ports.workers.read('ag-r', 'w1')).toMatchObject({ readySince: since, jobs: [] });
    await agent.drain(0);
    expect(await ports.workers.list('ag-r')).toEqual([]);
  });

  it("stores the time of its container's first request in the start of the worker, again with the next beat if that fails", async () => {
    await emulated.deploy('ag-st');
    const fails = async () => Promise.reject(new Error('The table is throttled.'));
    let times = 0;
    const readNow: typeof ports.starts.readNow = (...key) => {
      times += 1;
      return times === 1 ? fails() : ports.starts.readNow(...key);
    };
    const agent = await agents.start('ag-st', 'w1', {
      ports: portsWith(ports, { starts: { ...ports.starts, readNow } }),
    });
    await agent.beat();
    expect(times).toBe(0);
    const since = emulated.clock.now();
    await submit('ag-st');
    await agent.next(forever);
    emulated.clock.advance(BEAT);
    await agent.beat();
    await agent.drain(0);
    expect(await ports.starts.read('ag-st', 'w1')).toEqual({ readyAt: since });
    expect(times).toBe(2);
  });

  it('deletes its lease only after it has stored when it was ready, because its process then exits', async () => {
    await emulated.deploy('ag-su');
    const steps: string[] = [];
    const { promise: reached, resolve: arrive } = Promise.withResolvers<void>();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const write: typeof ports.starts.write = async (...start) => {
      arrive();
      await held;
      steps.push('stored');
      return ports.starts.write(...start);
    };
    const remove: typeof ports.workers.remove = async (...key) => {
      steps.push('left');
      release();
      return ports.workers.remove(...key);
    };
    const parts = { starts: { ...ports.starts, write }, workers: { ...ports.workers, remove } };
    const agent = await agents.start('ag-su', 'w1', { ports: portsWith(ports, parts) });
    const id = await submit('ag-su');
    await agent.next(forever);
    await reached;
    const drained = agent.drain(0);
    while ((await ports.jobs.read({ endpoint: 'ag-su', id }))?.status !== 'IN_QUEUE');
    await ports.workers.read('ag-su', 'w1');
    release();
    await drained;
    expect(steps).toEqual(['stored', 'left']);
  });

  it('does not delete its lease if its container never asked for a job, so that the lease shows this after its task has stopped', async () => {
    await emulated.deploy('ag-s');
    const agent = await agents.start('ag-s', 'w1');
    await agent.beat();
    await agent.drain(0);
    expect(await ports.workers.list('ag-s')).toMatchObject([{ worker: 'w1', readySince: null }]);
  });

  it('resolves a waiting call with a job of either queue', async () => {
    await emulated.deploy('ag-c');
    const agent = await agents.start('ag-c', 'w1');
    const waiting = agent.next(forever);
    const low = await submit('ag-c', '{"input":{},"policy":{"lowPriority":true}}');
    expect(await waiting).toMatchObject({ id: low });
  });

  it('releases a message that arrives while no call waits, so that another worker gets it immediately', async () => {
    const [lowQueueUrl] = (await emulated.deploy('ag-d')).lowQueueUrls;
    const busy = await agents.start('ag-d', 'w1');
    await submit('ag-d');
    await busy.next(forever);
    // The poll of the low queue stays open while the job of the other queue runs.
    const low = await submit('ag-d', '{"input":{},"policy":{"lowPriority":true}}');
    expect(await ports.jobQueues.receive(lowQueueUrl, 1, 5_000, LEASE)).toMatchObject([{ job: low }]);
  });

  it("takes the job of a lost worker again, and refuses that worker's writes", async () => {
    const [normalQueueUrl] = (await emulated.deploy('ag-e')).normalQueueUrls;
    const id = await submit('ag-e');
    const lost = await agents.start('ag-e', 'w1');
    await lost.next(forever);
    // The message is visible again, as it is when its worker no longer hides it.
    await ports.jobQueues.send(normalQueueUrl, { endpoint: 'ag-e', job: id, attempt: 0, generation: 0 });
    emulated.clock.advance(LEASE + 1);
    const agent = await agents.start('ag-e', 'w2');
    expect(await agent.next(forever)).toMatchObject({ id });
    await lost.report(id, { output: '"late"' });
    await agent.report(id, { output: '"in time"' });
    expect(await read('ag-e', id)).toMatchObject({ worker: 'w2', attempt: 2, output: { inline: '"in time"' } });
  });

  it('requeues a job whose input it cannot read, for another worker', async () => {
    await emulated.deploy('ag-i');
    const id = await submit('ag-i', `{"input":{"text":"${'x'.repeat(1_000)}"}}`);
    let reads = 0;
    const payloads: Payloads = {
      ...ports.payloads,
      async read(...args) {
        reads += 1;
        if (reads === 1) throw new Error('The table is throttled.');
        return ports.payloads.read(...args);
      },
    };
    const agent = await agents.start('ag-i', 'w1', { ports: portsWith(ports, { payloads }) });
    expect(await agent.next(forever)).toMatchObject({ id, attempt: 2 });
  });

  it('takes no more jobs when it drains, requeues its job, and deletes its lease', async () => {
    const { id, agent, normalQueueUrl } = await busyAgent('ag-f');
    await agent.drain(0);
    expect(await read('ag-f', id)).toMatchObject({ status: 'IN_QUEUE', attempt: 1 });
    expect(await ports.workers.read('ag-f', 'w1')).toBeUndefined();
    expect(await agent.next(forever)).toBeUndefined();
    expect(await emulated.nextMessage(normalQueueUrl)).toMatchObject({ job: id });
  });

  it('immediately requeues the job that it is taking when it drains', async () => {
    const [normalQueueUrl] = (await emulated.deploy('ag-h')).normalQueueUrls;
    const id = await submit('ag-h');
    const { promise: taken, resolve: isTaken } = Promise.withResolvers<void>();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const move: Jobs['move'] = async (name, key, facts) => {
      const moved = await ports.jobs.move(name, key, facts);
      if (name !== 'take') return moved;
      isTaken();
      await answered;
      return moved;
    };
    const agent = await agents.start('ag-h', 'w1', { ports: portsWith(ports, { jobs: { ...ports.jobs, move } }) });
    const next = agent.next(forever);
    await taken;
    const drained = agent.drain(60_000);
    answer();
    expect(await next).toBeUndefined();
    await drained;
    expect(await read('ag-h', id)).toMatchObject({ status: 'IN_QUEUE', attempt: 1 });
    expect(await emulated.nextMessage(normalQueueUrl)).toMatchObject({ job: id });
  });

  it('waits for its job to end within the grace period when it drains', async () => {
    const { id, agent } = await busyAgent('ag-g');
    const drained = agent.drain(60_000);
    await agent.report(id, { output: '1' });
    await drained;
    expect(await read('ag-g', id)).toMatchObject({ status: 'COMPLETED' });
  });
});
