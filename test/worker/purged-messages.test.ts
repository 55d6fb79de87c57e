/** Tests that workers drop the messages of purged jobs, and no other messages. */
import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { purgeQueue } from '../../core/jobs/purge-queue.ts';
import type { ReceivedMessage } from '../../core/jobs/queues.ts';
import type { Jobs } from '../../core/jobs/store.ts';
import { LEASE, SECOND } from '../../core/limits.ts';
import { retry } from '../../core/submission/retry.ts';
import { rescue } from '../../core/workers/rescue.ts';
import { take } from '../../core/workers/take.ts';
import { receiveLive } from '../../worker/agent/messages.ts';
import { finishJob, submitJob, takeJob } from '../jobs/scripted-job.ts';
import { forever } from './agents.ts';
import { agents, emulated, ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

/** Returns the ports, with the names of calls about jobs and messages. */
function recorded() {
  const calls: string[] = [];
  const counted = <Part extends object>(part: Part): Part =>
    Object.fromEntries(
      Object.entries(part).map(([name, call]) => [
        name,
        (...args: unknown[]) => {
          calls.push(name);
          return call(...args);
        },
      ]),
    ) as Part;
  return { calls, changed: { ...ports, jobQueues: counted(ports.jobQueues), jobs: counted(ports.jobs) } };
}

describe('the messages of purged jobs', () => {
  it('are dropped in batches, without a write to the table, until a message belongs to a live job', async () => {
    const [normalQueueUrl] = (await emulated.deploy('lh-a')).normalQueueUrls;
    for (let n = 0; n < 25; n += 1) await submitJob(ports, 'lh-a');
    // After the second purge, the first queue is in use again.
    for (let n = 0; n < 2; n += 1) await purgeQueue(ports, 'lh-a');
    const id = await submitJob(ports, 'lh-a');
    const { calls, changed } = recorded();
    const agent = await agents.start('lh-a', 'w1', { ports: changed });
    expect(await agent.next(forever)).toMatchObject({ id, attempt: 1 });
    const count = (name: string) => calls.filter((call) => call === name).length;
    expect(count('move')).toBe(1);
    expect(count('read')).toBe(25);
    // The agent asks each queue for a message, then reads one batch while it may contain live messages, then five batches
    // in parallel.
    expect(count('receive')).toBe(4 + 1 + 5);
    expect(count('drop') + count('dropBatch')).toBe(4);
    await agent.report(id, { output: '1' });
    expect(await emulated.nextMessage(normalQueueUrl)).toBeUndefined();
  });

  it.each([false, true])('do not delay a job that arrives after the purge (low priority: %s)', async (lowPriority) => {
    const endpoint = `lh-g-${lowPriority}`;
    await emulated.deploy(endpoint);
    const dead = [await submitJob(ports, endpoint, { lowPriority }), await submitJob(ports, endpoint)];
    await purgeQueue(ports, endpoint);
    const id = await submitJob(ports, endpoint, { lowPriority });
    // A worker must read the job before it drops the message of a purged job.
    const { promise: isStarted, resolve: start } = Promise.withResolvers<void>();
    const read: Jobs['read'] = async (key) => {
      if (dead.includes(key.id)) await isStarted;
      return ports.jobs.read(key);
    };
    const agent = await agents.start(endpoint, 'w1', { ports: portsWith(ports, { jobs: { ...ports.jobs, read } }) });
    expect(await agent.next(forever)).toMatchObject({ id });
    start();
  });

  it('cause no additional calls if there was no purge', async () => {
    await emulated.deploy('lh-b');
    const id = await submitJob(ports, 'lh-b');
    const { calls, changed } = recorded();
    const agent = await agents.start('lh-b', 'w1', { ports: changed });
    expect(await agent.next(forever)).toMatchObject({ id });
    expect(calls.filter((call) => call !== 'receive')).toEqual(['move']);
    // One for each queue.
    expect(calls.filter((call) => call === 'receive')).toHaveLength(4);
  });

  it('do not hide live messages of the same batch from other workers', async () => {
    const [normalQueueUrl] = (await emulated.deploy('lh-c')).normalQueueUrls;
    for (let n = 0; n < 2; n += 1) await submitJob(ports, 'lh-c');
    for (let n = 0; n < 2; n += 1) await purgeQueue(ports, 'lh-c');
    const alive = [await submitJob(ports, 'lh-c'), await submitJob(ports, 'lh-c'), await submitJob(ports, 'lh-c')];
    const release = (message: ReceivedMessage) => ports.jobQueues.hide(message, 0);
    const poll = { queueUrl: normalQueueUrl, max: 1, wait: 0 };
    const [mine] = await receiveLive(ports, poll, forever, release);
    const others = [await emulated.nextMessage(normalQueueUrl), await emulated.nextMessage(normalQueueUrl)];
    expect(new Set([mine, ...others].map((message) => message?.job))).toEqual(new Set(alive));
  });
});

describe('an old message after a purge', () => {
  /**
   * Stores a job that ran when its queue was purged, and whose worker was lost before its lease contained the
   * job's id.
   */
  async function ranThen(endpoint: string) {
    const [normalQueueUrl] = (await emulated.deploy(endpoint)).normalQueueUrls;
    const id = await submitJob(ports, endpoint);
    const message = await emulated.nextMessage(normalQueueUrl);
    const job = await takeJob(ports, endpoint, id, 'lost');
    await purgeQueue(ports, endpoint);
    emulated.clock.advance(LEASE + SECOND);
    // The message is visible again, as it is when its worker no longer hides it.
    if (message) await ports.jobQueues.hide(message, 0);
    return job;
  }

  it('recovers the job that ran, although nothing else points to it', async () => {
    const { id } = await ranThen('lh-d');
    const agent = await agents.start('lh-d', 'w2');
    expect(await agent.next(forever)).toMatchObject({ id, attempt: 2 });
  });

  it('starts the job that a worker requeued before the worker was lost', async () => {
    const job = await ranThen('lh-e');
    await rescue(ports, job, 0, 1);
    const agent = await agents.start('lh-e', 'w2');
    expect(await agent.next(forever)).toMatchObject({ id: job.id, attempt: 2 });
  });

  it('is replaced by a message in the current queue if the job was retried', async () => {
    const [normalQueueUrl] = (await emulated.deploy('lh-f')).normalQueueUrls;
    const id = await finishJob(ports, 'lh-f', { error: 'no' });
    const old = await emulated.nextMessage(normalQueueUrl);
    if (old) await ports.jobQueues.drop(old);
    await purgeQueue(ports, 'lh-f');
    await retry(ports, { endpoint: 'lh-f', id });
    const agent = await agents.start('lh-f', 'w1');
    expect(await agent.next(forever)).toMatchObject({ id, attempt: 2 });
    expect(await take(ports, 'w2', { endpoint: 'lh-f', job: id, attempt: 1, generation: 1 })).toMatchObject({
      outcome: 'held',
    });
  });
});
