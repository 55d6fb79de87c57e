/**
 * Tests how many calls of SQS an agent makes for several jobs, and that the agent returns each message that it does
 * not use.
 */
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { systemClock } from '../../core/clock.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import { purgeQueue } from '../../core/jobs/purge-queue.ts';
import type { JobQueues, ReceivedMessage } from '../../core/jobs/queues.ts';
import type { Jobs } from '../../core/jobs/store.ts';
import { LEASE } from '../../core/limits.ts';
import type { Workers } from '../../core/workers/lease.ts';
import { eventually } from '../../packages/emulator/test/small-service.ts';
import type { Agent } from '../../worker/agent/agent.ts';
import type { Offer } from '../../worker/agent/job-loop.ts';
import { createMessageDrops } from '../../worker/agent/message-drops.ts';
import { createMessageSource, receiveLive } from '../../worker/agent/messages.ts';
import type { AgentPorts } from '../../worker/agent/ports.ts';
import { takeJob } from '../jobs/scripted-job.ts';
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
      const messages = await jobQueues.receive(...args);
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
    const drops = createMessageDrops({ jobQueues, log, pause: systemClock.pause });
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

/** Deploys an endpoint with this many waiting jobs. */
async function waiting(endpoint: string, jobs: number) {
  const [queueUrl, oddQueueUrl] = (await emulated.deploy(endpoint)).normalQueueUrls;
  const ids: string[] = [];
  for (let n = 0; n < jobs; n += 1) ids.push(await agents.submit(endpoint));
  return { queueUrl, oddQueueUrl, ids };
}

/** Returns the jobs whose messages a worker would get now. */
async function visible(queueUrl: string): Promise<ReadonlySet<string>> {
  const messages = await ports.jobQueues.receive(queueUrl, 10, 0, LEASE);
  return new Set(messages.map(({ job }) => job));
}

/** Returns ports whose received batches arrive when `arrive` is called; `received` resolves before that. */
function delayed() {
  const { promise: received, resolve: isReceived } = Promise.withResolvers<void>();
  const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>();
  const receive: JobQueues['receive'] = async (...args) => {
    const messages = await ports.jobQueues.receive(...args);
    if (messages.length === 0) return messages;
    isReceived();
    await arrival;
    return messages;
  };
  return { received, arrive, changed: portsWith(ports, { jobQueues: { ...ports.jobQueues, receive } }) };
}

/** Waits in this number of slots for a job each. */
const slots = (agent: Agent, count: number) => Array.from({ length: count }, () => agent.next(forever));

/** Returns the first offers, once there are this many. */
const firstOf = (offers: readonly Promise<Offer | undefined>[], count: number) =>
  new Promise<(Offer | undefined)[]>((resolve, reject) => {
    const arrived: (Offer | undefined)[] = [];
    for (const offer of offers)
      offer.then((job) => {
        if (arrived.push(job) === count) resolve([...arrived]);
      }, reject);
  });

const readAll = (endpoint: string, ids: readonly string[]) =>
  Promise.all(ids.map((id) => ports.jobs.read({ endpoint, id })));
const idsOf = (offers: readonly (Offer | undefined)[]) => new Set(offers.flatMap((offer) => offer?.id ?? []));

describe('a received message that the agent does not use', () => {
  it('is released immediately if fewer slots wait than messages were requested', async () => {
    const { queueUrl, ids } = await waiting('ba-d', 3);
    const { received, arrive, changed } = delayed();
    const agent = await agents.start('ba-d', 'w1', { ports: changed, concurrency: 3 });
    const gone = new AbortController();
    const offers = [agent.next(forever), agent.next(gone.signal), agent.next(gone.signal)];
    await received;
    gone.abort();
    arrive();
    const taken = idsOf(await Promise.all(offers));
    expect(taken.size).toBe(1);
    expect(await visible(queueUrl)).toEqual(new Set(ids.filter((id) => !taken.has(id))));
  });

  it('is released immediately if the agent stops before the message arrives', async () => {
    const { queueUrl, ids } = await waiting('ba-e', 3);
    const { received, arrive, changed } = delayed();
    const agent = await agents.start('ba-e', 'w1', { ports: changed, concurrency: 3 });
    const offers = slots(agent, 3);
    await received;
    agent.retire();
    arrive();
    expect(await Promise.all(offers)).toEqual([undefined, undefined, undefined]);
    await agent.drain(0);
    expect(await visible(queueUrl)).toEqual(new Set(ids));
  });

  it('is released without a take if the agent stops before the take', async () => {
    const { queueUrl, ids } = await waiting('ba-f', 3);
    const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>();
    const { promise: answer, resolve: protect } = Promise.withResolvers<void>();
    let asks = 0;
    const protection = {
      async protect() {
        asks += 1;
        if (asks === ids.length) isAsked();
        await answer;
      },
      keep: async () => undefined,
      since: () => undefined,
    };
    const agent = await agents.start('ba-f', 'w1', { protection, concurrency: 3 });
    const offers = slots(agent, 3);
    await asked;
    agent.retire();
    protect();
    expect(await Promise.all(offers)).toEqual([undefined, undefined, undefined]);
    expect(await visible(queueUrl)).toEqual(new Set(ids));
    expect(await readAll('ba-f', ids)).toMatchObject(ids.map(() => ({ status: 'IN_QUEUE', attempt: 0 })));
  });

  it('is released if ECS does not protect the worker', async () => {
    const { queueUrl, ids } = await waiting('ba-g', 3);
    const protect = () => Promise.reject(new Error('ECS refuses.'));
    const protection = { protect, keep: async () => undefined, since: () => undefined };
    const pauses: (() => void)[] = [];
    const { promise: allPause, resolve: allPaused } = Promise.withResolvers<void>();
    const pause = (_: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve());
        if (pauses.push(resolve) === ids.length) allPaused();
      });
    const agent = await agents.start('ba-g', 'w1', { protection, pause, concurrency: 3 });
    const gone = new AbortController();
    const offers = ids.map(() => agent.next(gone.signal));
    await allPause;
    expect(await visible(queueUrl)).toEqual(new Set(ids));
    gone.abort();
    await Promise.all(offers);
  });

  it('stays hidden for no more than a lease if the agent crashes', async () => {
    await waiting('ba-h', 2);
    const hidden: number[] = [];
    const receive: JobQueues['receive'] = async (...args) => {
      hidden.push(args[3]);
      return ports.jobQueues.receive(...args);
    };
    const changed = portsWith(ports, { jobQueues: { ...ports.jobQueues, receive } });
    const agent = await agents.start('ba-h', 'w1', { ports: changed, concurrency: 2 });
    await Promise.all(slots(agent, 2));
    expect(new Set(hidden)).toEqual(new Set([LEASE]));
  });

  it('does not reach a caller that already has one, and no other caller is forgotten', async () => {
    const { queueUrl } = await waiting('ba-i', 0);
    const gone = new AbortController();
    const later: Promise<ReceivedMessage | undefined>[] = [];
    const batches = [['j1', 'j2', 'j3'], ['j4']].map((jobs) =>
      jobs.map((job) => ({ endpoint: 'ba-i', job, attempt: 0, generation: 0, receipt: job, queueUrl, sentAt: 0 })),
    );
    const jobQueues = {
      receive: async () => batches.shift() ?? new Promise<never>(() => undefined),
      // The third message has no caller. Now a third caller waits, and the first one gives up with its message.
      async hide() {
        later.push(source.next(forever));
        gone.abort();
      },
    };
    const config = { endpoint: 'ba-i', normalQueueUrls: [queueUrl], lowQueueUrls: [] };
    const changed = { ...ports, jobQueues } as unknown as AgentPorts;
    const watcher = { see: () => undefined };
    const succession = { precedence: async () => 'EQUAL' as const, takes: () => true };
    const source = createMessageSource({ ports: changed, config, watcher, succession, log, pause: systemClock.pause });
    const first = await Promise.all([source.next(gone.signal), source.next(forever)]);
    expect(first.map((message) => message?.job)).toEqual(['j1', 'j2']);
    expect(await Promise.all(later)).toMatchObject([{ job: 'j4' }]);
    source.stop();
  });
});

describe('a batch of messages', () => {
  it('contains jobs that the agent takes, and messages of purged jobs, which it drops', async () => {
    await waiting('ba-j', 2);
    for (let n = 0; n < 2; n += 1) await purgeQueue(ports, 'ba-j');
    const alive = [await agents.submit('ba-j'), await agents.submit('ba-j')];
    const { calls, changed } = recorded();
    const agent = await agents.start('ba-j', 'w1', { ports: changed, concurrency: 4 });
    const taken = await firstOf(slots(agent, 4), 2);
    expect(idsOf(taken)).toEqual(new Set(alive));
    expect(calls).toEqual({ receive: [4], hide: [], drop: [2] });
  });

  it('contains a cancelled job, whose message is dropped', async () => {
    const { queueUrl, ids } = await waiting('ba-k', 3);
    await cancel(ports, { endpoint: 'ba-k', id: ids[1] ?? '' });
    const { calls, changed } = recorded();
    const agent = await agents.start('ba-k', 'w1', { ports: changed, concurrency: 3 });
    const offers = slots(agent, 3);
    const taken = await firstOf(offers, 2);
    expect(idsOf(taken)).toEqual(new Set([ids[0], ids[2]]));
    // The slot of the cancelled job gets the next job.
    const late = await agents.submit('ba-k');
    expect(idsOf(await firstOf(offers, 3))).toEqual(new Set([...idsOf(taken), late]));
    expect(calls.drop).toEqual([1]);
    expect(calls.hide).toEqual([]);
    expect(await visible(queueUrl)).toEqual(new Set());
  });

  it('contains a job of another worker, and the agent takes the other jobs', async () => {
    const { ids } = await waiting('ba-l', 3);
    const other = await agents.start('ba-l', 'w2');
    await takeJob(ports, 'ba-l', ids[0] ?? '', 'w2');
    await other.beat();
    const { calls, changed } = recorded();
    const agent = await agents.start('ba-l', 'w1', { ports: changed, concurrency: 3 });
    expect(idsOf(await firstOf(slots(agent, 3), 2))).toEqual(new Set(ids.slice(1)));
    await eventually('the message of the other job is hidden', () => calls.hide.length > 0);
    expect(calls).toEqual({ receive: [3], hide: [1], drop: [] });
    expect(await ports.jobs.read({ endpoint: 'ba-l', id: ids[0] ?? '' })).toMatchObject({ worker: 'w2', attempt: 1 });
  });

  it('contains a job that cannot be taken, and the agent takes the other jobs', async () => {
    const { ids } = await waiting('ba-m', 3);
    const move: Jobs['move'] = (name, key, facts) =>
      key.id === ids[0] ? Promise.reject(new Error('no answer')) : ports.jobs.move(name, key, facts);
    const changed = portsWith(ports, { jobs: { ...ports.jobs, move } });
    const agent = await agents.start('ba-m', 'w1', { ports: changed, concurrency: 3 });
    expect(idsOf(await firstOf(slots(agent, 3), 2))).toEqual(new Set(ids.slice(1)));
  });

  it('contains an unreadable message, and the agent takes the jobs of the others', async () => {
    const [QueueUrl] = (await emulated.deploy('ba-n')).normalQueueUrls;
    await new SQSClient({}).send(new SendMessageCommand({ QueueUrl, MessageBody: 'not JSON' }));
    const ids = [await agents.submit('ba-n'), await agents.submit('ba-n')];
    const agent = await agents.start('ba-n', 'w1', { concurrency: 3 });
    expect(idsOf(await firstOf(slots(agent, 3), 2))).toEqual(new Set(ids));
  });

  it('contains a message of another endpoint that cannot be read, and the agent takes the jobs of the others', async () => {
    const { queueUrl, ids } = await waiting('ba-o', 2);
    await ports.jobQueues.send(queueUrl, { endpoint: 'foreign', job: 'j', attempt: 0, generation: 0 });
    const endpoints = Object.assign(Object.create(ports.endpoints) as typeof ports.endpoints, {
      read: (id: string) => (id === 'foreign' ? Promise.reject(new Error('AccessDenied')) : ports.endpoints.read(id)),
    });
    const agent = await agents.start('ba-o', 'w1', { ports: portsWith(ports, { endpoints }), concurrency: 3 });
    expect(idsOf(await firstOf(slots(agent, 3), 2))).toEqual(new Set(ids));
  });

  it.each([
    ['before the generations are compared', 0],
    ['after the generations were compared', 3],
  ])('is released except for one message if the endpoint cannot be read %s', async (_, reads) => {
    const endpoint = `ba-p-${reads}`;
    const { queueUrl, ids } = await waiting(endpoint, 3);
    const { promise: logged, resolve: isLogged } = Promise.withResolvers<void>();
    let left = reads;
    const endpoints = Object.assign(Object.create(ports.endpoints) as typeof ports.endpoints, {
      async read(id: string) {
        left -= 1;
        if (left < 0) throw new Error('no answer');
        return ports.endpoints.read(id);
      },
    });
    const its = { ...log, error: () => isLogged() };
    const changed = portsWith(ports, { endpoints });
    const agent = await agents.start(endpoint, 'w1', { ports: changed, log: its, concurrency: 3 });
    void slots(agent, 3);
    // The agent pauses for a second before it receives messages again.
    await logged;
    const found = await visible(queueUrl);
    expect(found.size).toBe(2);
    expect(new Set([...found, ...ids]).size).toBe(3);
  });

  it('is released if the messages of purged jobs cannot be dropped', async () => {
    const { queueUrl } = await waiting('ba-q', 1);
    for (let n = 0; n < 2; n += 1) await purgeQueue(ports, 'ba-q');
    const alive = [await agents.submit('ba-q'), await agents.submit('ba-q')];
    const { promise: logged, resolve: isLogged } = Promise.withResolvers<void>();
    const dropBatch = () => Promise.reject(new Error('no answer'));
    const changed = portsWith(ports, { jobQueues: { ...ports.jobQueues, dropBatch } });
    const its = { ...log, error: () => isLogged() };
    const agent = await agents.start('ba-q', 'w1', { ports: changed, log: its, concurrency: 3 });
    void slots(agent, 3);
    await logged;
    expect(await visible(queueUrl)).toEqual(new Set(alive));
  });

  it('is returned although another call for messages of purged jobs fails', async () => {
    const message = { endpoint: 'e', job: 'j', attempt: 0, receipt: 'r', queueUrl: 'q', sentAt: 0 };
    const [dead, alive] = [
      { ...message, generation: 0 },
      { ...message, generation: 1 },
    ];
    const answers = [() => [dead], () => [dead], () => Promise.reject(new Error('no answer')), () => [alive]];
    const changed = {
      endpoints: { read: async () => ({ generation: 1 }) },
      jobs: { read: async () => undefined },
      jobQueues: {
        receive: async () => answers.shift()?.() ?? [],
        dropBatch: async () => undefined,
      },
    } as unknown as AgentPorts;
    const poll = { queueUrl: 'q', max: 1, wait: 0 };
    expect(await receiveLive(changed, poll, forever, async () => undefined)).toEqual([alive]);
  });

  it('is returned message by message if the container crashes with its jobs', async () => {
    const { queueUrl, ids } = await waiting('ba-r', 3);
    const agent = await agents.start('ba-r', 'w1', { concurrency: 3 });
    await Promise.all(slots(agent, 3));
    await agent.requeueAll();
    expect(await visible(queueUrl)).toEqual(new Set(ids));
    expect(await readAll('ba-r', ids)).toMatchObject(ids.map(() => ({ status: 'IN_QUEUE' })));
  });
});

describe('a message that SQS does not delete with its batch', () => {
  it('is dropped by the next worker that receives it, and the ended job does not start again', async () => {
    const { queueUrl, ids } = await waiting('ba-s', 4);
    const kept: ReceivedMessage[] = [];
    const dropBatch: JobQueues['dropBatch'] = async (messages) => {
      kept.push(...messages.slice(1));
      await ports.jobQueues.dropBatch(messages.slice(0, 1));
    };
    const changed = portsWith(ports, { jobQueues: { ...ports.jobQueues, dropBatch } });
    const agent = await agents.start('ba-s', 'w1', { ports: changed, concurrency: 4 });
    await Promise.all(slots(agent, 4));
    for (const id of ids) await agent.report(id, { output: '1' });
    await agent.drain(0);
    // The visibility timeout of the messages is over.
    for (const message of kept) await ports.jobQueues.hide(message, 0);
    expect(kept.length).toBeGreaterThan(0);
    const late = await agents.submit('ba-s');
    const { calls, changed: watched } = recorded();
    const other = await agents.start('ba-s', 'w2', { ports: watched });
    expect(await other.next(forever)).toMatchObject({ id: late });
    expect(calls.drop).toEqual(kept.map(() => 1));
    expect(await visible(queueUrl)).toEqual(new Set());
  });
});

describe('slots that begin to wait at the same time', () => {
  it('share one renewal of the lease, and one repetition if it fails', async () => {
    const { ids } = await waiting('ba-t', 3);
    let beats = 0;
    const beat: Workers['beat'] = async (lease) => {
      beats += 1;
      if (beats === 1) throw new Error('no answer');
      await ports.workers.beat(lease);
    };
    const changed = portsWith(ports, { workers: { ...ports.workers, beat } });
    const agent = await agents.start('ba-t', 'w1', { ports: changed, concurrency: 3 });
    const outcomes = await Promise.allSettled(slots(agent, 3));
    // The slot that renewed the lease reports the failure to its caller, which asks again.
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(beats).toBe(2);
    expect(await agent.next(forever)).toBeDefined();
    expect((await readAll('ba-t', ids)).every((job) => job?.status === 'IN_PROGRESS')).toBe(true);
  });
});
