/** Tests how many calls of SQS an agent makes for several jobs. */
import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import type { JobQueues } from '../../core/jobs/queues.ts';
import { createMessageDrops } from '../../worker/agent/message-drops.ts';
import { sleep } from '../../worker/process.ts';
import { forever, log } from './agents.ts';
import { agents, emulated, ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

/** Returns the ports, and the number of messages in each call of SQS by the name of the call. */
function recorded() {
  const calls: Record<'receive' | 'hide' | 'drop', number[]> = { receive: [], hide: [], drop: [] };
  const { jobQueues } = ports;
  const recording: JobQueues = {
    ...jobQueues,
    async receive(...args) {
      const message = await jobQueues.receive(...args);
      if (message) calls.receive.push(1);
      return message;
    },
    async receiveBatch(...args) {
      const messages = await jobQueues.receiveBatch(...args);
      if (messages.length > 0) calls.receive.push(messages.length);
      return messages;
    },
    async hide(...args) {
      calls.hide.push(1);
      await jobQueues.hide(...args);
    },
    async drop(message) {
      calls.drop.push(1);
      await jobQueues.drop(message);
    },
    async dropBatch(messages) {
      calls.drop.push(messages.length);
      await jobQueues.dropBatch(messages);
    },
  };
  return { calls, changed: portsWith(ports, { jobQueues: recording }) };
}

describe('an agent with several slots', () => {
  it('receives a message for each waiting slot with one call', async () => {
    await emulated.deploy('ba-a');
    for (let n = 0; n < 7; n += 1) await agents.submit('ba-a');
    const { calls, changed } = recorded();
    const agent = await agents.start('ba-a', 'w1', { ports: changed, concurrency: 5 });
    // The agent renews its lease before it receives messages, so all slots wait before the first call.
    const offers = await Promise.all(Array.from({ length: 5 }, () => agent.next(forever)));
    expect(new Set(offers.map((offer) => offer?.id)).size).toBe(5);
    expect(calls).toEqual({ receive: [5], hide: [], drop: [] });
  });

  it('receives no message for which no slot is free', async () => {
    const [normalQueueUrl] = (await emulated.deploy('ba-b')).normalQueueUrls;
    for (let n = 0; n < 3; n += 1) await agents.submit('ba-b');
    const { calls, changed } = recorded();
    const agent = await agents.start('ba-b', 'w1', { ports: changed, concurrency: 2 });
    await Promise.all([agent.next(forever), agent.next(forever)]);
    expect(calls).toMatchObject({ receive: [2], hide: [] });
    expect(await emulated.nextMessage(normalQueueUrl)).toBeDefined();
  });
});

describe('an agent whose jobs end', () => {
  it('deletes the first message immediately, and the messages of the next 200 ms with one call', async () => {
    await emulated.deploy('ba-c');
    for (let n = 0; n < 5; n += 1) await agents.submit('ba-c');
    const { calls, changed } = recorded();
    const agent = await agents.start('ba-c', 'w1', { ports: changed, concurrency: 5 });
    const offers = await Promise.all(Array.from({ length: 5 }, () => agent.next(forever)));
    // A beat deletes the messages of all jobs in the same instant, which the speed of the machine does not affect.
    await agent.beat();
    expect(calls.drop).toEqual([1]);
    await agent.drain(0);
    expect(calls.drop).toEqual([1, 4]);
    expect(offers).toHaveLength(5);
  });

  it('deletes collected messages before it exits', async () => {
    const dropped: string[] = [];
    const jobQueues: Pick<JobQueues, 'drop' | 'dropBatch'> = {
      drop: async ({ job }) => void dropped.push(job),
      dropBatch: async (messages) => void dropped.push(messages.map(({ job }) => job).join(' ')),
    };
    const drops = createMessageDrops({ jobQueues, log, pause: sleep });
    for (let n = 0; n < 13; n += 1)
      drops.add(
        { endpoint: 'e', job: `j${n}`, attempt: 0, generation: 0, receipt: 'r', queueUrl: 'q', sentAt: 0 },
        `j${n}`,
      );
    expect(dropped).toEqual(['j0', 'j1 j2 j3 j4 j5 j6 j7 j8 j9 j10']);
    await drops.flush();
    expect(dropped).toEqual(['j0', 'j1 j2 j3 j4 j5 j6 j7 j8 j9 j10', 'j11 j12']);
  });
});
