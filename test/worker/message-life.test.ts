/** Tests when a job's message is deleted, and that a message or a lease always points to the job (docs/adr/0002). */
import { describe, expect, it } from '@jest/globals';
import type { Ports } from '../../aws/ports.ts';
import { purgeQueue } from '../../core/jobs/purge-queue.ts';
import type { JobMessage, JobQueues } from '../../core/jobs/queues.ts';
import type { Jobs } from '../../core/jobs/store.ts';
import { LEASE, SECOND } from '../../core/limits.ts';
import type { Workers } from '../../core/workers/lease.ts';
import { take } from '../../core/workers/take.ts';
import { forever } from './agents.ts';
import { busyAgent } from './busy-agent.ts';
import { agents, emulated, ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

/** Returns the ports, and a list of the SQS calls about jobs. */
function recorded(changes: { jobQueues?: Partial<JobQueues>; jobs?: Partial<Jobs>; workers?: Partial<Workers> } = {}) {
  const calls: string[] = [];
  const { jobQueues } = ports;
  const recording: Partial<JobQueues> = {
    async send(queueUrl, message) {
      calls.push('send');
      await jobQueues.send(queueUrl, message);
    },
    async hide(message, hidden) {
      calls.push(`hide ${hidden}`);
      await jobQueues.hide(message, hidden);
    },
    async drop(message) {
      calls.push('drop');
      await jobQueues.drop(message);
    },
  };
  const changed: Ports = {
    ...ports,
    jobQueues: { ...jobQueues, ...recording, ...changes.jobQueues },
    jobs: { ...ports.jobs, ...changes.jobs },
    workers: { ...ports.workers, ...changes.workers },
  };
  return { calls, changed };
}

const failing = () => Promise.reject(new Error('The agent exits here.'));

describe('the message of a job', () => {
  it('starts the job once if the message arrives twice at the same time', async () => {
    const [normalQueueUrl] = (await emulated.deploy('hl-0')).normalQueueUrls;
    const id = await agents.submit('hl-0');
    await ports.jobQueues.send(normalQueueUrl, { endpoint: 'hl-0', job: id, attempt: 0, generation: 0 });
    const both = Promise.withResolvers<void>();
    let received = 0;
    const { changed } = recorded({
      jobQueues: {
        async receive(...args) {
          const messages = await ports.jobQueues.receive(...args);
          received += messages.length;
          if (received === 2) both.resolve();
          return messages;
        },
      },
      jobs: {
        async move(...args) {
          await both.promise;
          return ports.jobs.move(...args);
        },
      },
    });
    const agent = await agents.start('hl-0', 'w1', { ports: changed });
    const ended = new AbortController();
    const offers = [agent.next(ended.signal), agent.next(ended.signal)];
    expect(await Promise.race(offers)).toMatchObject({ id, attempt: 1 });
    ended.abort();
    expect((await Promise.all(offers)).filter((offer) => offer !== undefined)).toHaveLength(1);
  });

  it("is deleted when a beat has written the job's id to the lease, and no other message is sent", async () => {
    const { calls, changed } = recorded();
    const { id, agent } = await busyAgent('hl-a', { ports: changed });
    expect(calls).toEqual([]);
    await agent.beat();
    expect(calls).toEqual(['drop']);
    await agent.beat();
    await agent.report(id, { output: '1' });
    expect(calls).toEqual(['drop']);
  });

  it('is deleted when the job ends before a beat', async () => {
    const { calls, changed } = recorded();
    const { id, agent } = await busyAgent('hl-b', { ports: changed });
    await agent.report(id, { output: '1' });
    await agent.beat();
    expect(calls).toEqual(['drop']);
  });

  it('is not deleted while no beat succeeds', async () => {
    const beat: Workers['beat'] = (lease) => (lease.jobs.length > 0 ? failing() : ports.workers.beat(lease));
    const { calls, changed } = recorded({ workers: { beat } });
    const { agent } = await busyAgent('hl-c', { ports: changed });
    await expect(agent.beat()).rejects.toThrow('The agent exits here');
    expect(calls).toEqual([]);
  });

  it("is not deleted while an older lease may still overwrite the lease with the job's id", async () => {
    await emulated.deploy('hl-d');
    const leases: (readonly string[])[] = [];
    let release = () => {};
    let slow: Promise<void> | undefined;
    const beat: Workers['beat'] = async (lease) => {
      await slow;
      leases.push(lease.jobs);
      await ports.workers.beat(lease);
    };
    const { calls, changed } = recorded({ workers: { beat } });
    const agent = await agents.start('hl-d', 'w1', { ports: changed });
    await agent.beat();
    // The worker's container has asked for jobs before, so the lease already shows that the container is ready.
    await agent.next(AbortSignal.timeout(20));
    await agents.submit('hl-d');
    slow = new Promise((resolve) => {
      release = resolve;
    });
    const before = agent.beat();
    await agent.next(forever);
    slow = undefined;
    const after = agent.beat();
    // The second lease would have been stored by now if it did not wait for the first.
    await ports.workers.read('hl-d', 'w1');
    expect(leases).toEqual([[], []]);
    expect(calls).toEqual([]);
    release();
    await Promise.all([before, after]);
    expect(leases.map(({ length }) => length)).toEqual([0, 0, 0, 1]);
    expect(calls).toEqual(['drop']);
  });
});

describe('a job that is requeued', () => {
  it('has its own message released while that message exists', async () => {
    const { calls, changed } = recorded();
    const { id, agent, normalQueueUrl } = await busyAgent('hl-e', { ports: changed });
    await agent.drain(0);
    expect(calls).toEqual(['hide 0']);
    expect(await emulated.nextMessage(normalQueueUrl)).toMatchObject({ job: id, attempt: 0 });
  });

  it('gets a new message in its own queue when the old message is deleted', async () => {
    const { calls, changed } = recorded();
    const { id, agent, lowQueueUrl } = await busyAgent('hl-f', {
      body: '{"input":{},"policy":{"lowPriority":true}}',
      ports: changed,
    });
    await agent.beat();
    await agent.drain(0);
    expect(calls).toEqual(['drop', 'send']);
    expect(await emulated.nextMessage(lowQueueUrl)).toMatchObject({ job: id, attempt: 1, generation: 0 });
    expect(await ports.jobs.read({ endpoint: 'hl-f', id })).toMatchObject({ status: 'IN_QUEUE' });
  });

  it('gets a message in the current queue if it is requeued after a purge', async () => {
    const [even, odd] = (await emulated.deploy('hl-j')).normalQueueUrls;
    const id = await agents.submit('hl-j');
    const sent: [queueUrl: string, message: JobMessage][] = [];
    const { changed } = recorded({
      jobQueues: {
        async send(...args) {
          sent.push([args[0], args[1]]);
          await ports.jobQueues.send(...args);
        },
      },
    });
    const agent = await agents.start('hl-j', 'w1', { ports: changed });
    await agent.next(forever);
    await purgeQueue(ports, 'hl-j');
    await agent.drain(0);
    expect(await emulated.nextMessage(even)).toBeUndefined();
    // The test checks the calls, because the queue may have sent the message to a poll that has just been stopped.
    expect(sent).toMatchObject([[odd, { job: id, generation: 1 }]]);
  });

  it('is not lost if the agent exits between the message and the requeue', async () => {
    const move: Jobs['move'] = (name, key, facts) =>
      name === 'requeue' ? failing() : ports.jobs.move(name, key, facts);
    const { changed } = recorded({ jobs: { move } });
    const { id, agent, normalQueueUrl } = await busyAgent('hl-g', { ports: changed });
    await agent.beat();
    await expect(agent.requeue(id)).rejects.toThrow('The agent exits here');

    const message = (await emulated.nextMessage(normalQueueUrl)) as JobMessage;
    expect(message).toMatchObject({ job: id, attempt: 1 });
    // If the agent had not exited, it would have requeued the job by now.
    expect(await take(ports, 'w2', message)).toEqual({ outcome: 'held', hidden: SECOND });
    emulated.clock.advance(LEASE + 1);
    expect(await take(ports, 'w2', message)).toMatchObject({ outcome: 'taken', job: { attempt: 2 } });
  });

  it('keeps its message although a beat finishes during the requeue', async () => {
    let requeue = () => {};
    const asked = new Promise<void>((resolve) => {
      requeue = resolve;
    });
    const move: Jobs['move'] = async (name, key, facts) => {
      if (name === 'requeue') await asked;
      return ports.jobs.move(name, key, facts);
    };
    const { calls, changed } = recorded({ jobs: { move } });
    const { id, agent, normalQueueUrl } = await busyAgent('hl-h', { ports: changed });
    const given = agent.requeue(id);
    await agent.beat();
    requeue();
    await given;
    expect(calls).toEqual(['hide 0']);
    expect(await emulated.nextMessage(normalQueueUrl)).toMatchObject({ job: id });
  });

  it('is not offered to the container of the worker that holds it', async () => {
    const { id, agent, normalQueueUrl } = await busyAgent('hl-i');
    await ports.jobQueues.send(normalQueueUrl, { endpoint: 'hl-i', job: id, attempt: 1, generation: 0 });
    const offered = agent.next(forever);
    const second = await agents.submit('hl-i');
    expect(await offered).toMatchObject({ id: second });
  });
});
