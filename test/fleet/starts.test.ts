/** Tests the starts of workers over the emulators: their events, and the timelines of jobs and workers. */

import { GetCommand, NumberValue, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createDocumentClient } from '../../aws/clients.ts';
import { portsWith } from '../../aws/ports.ts';
import type { InstanceEvent, TaskEvent } from '../../core/fleet/event.ts';
import { observe } from '../../core/fleet/observe.ts';
import { type InstanceTimes, STARTS_KEPT, saveStart } from '../../core/fleet/start.ts';
import { record } from '../../core/ledger/record.ts';
import { ENDPOINT_CACHE, LEASE, SECOND } from '../../core/limits.ts';
import { status } from '../../core/status/status.ts';
import { take } from '../../core/workers/take.ts';
import { submitJob } from '../jobs/scripted-job.ts';
import { noReleases } from '../releases/no-releases.ts';
import { PROPERTY_SEED, seedOf } from '../runner/seed.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { taskEvent } from './events.ts';

const emulated = useEmulatedDeployment();
const portsOf = () => portsWith(emulated.ports, { ...noReleases(), services: recordServices() });
const now = () => emulated.clock.now();
const iso = (time: number) => new Date(time).toISOString();

const beat = (endpoint: string, worker: string, readySince: number | null) =>
  emulated.ports.workers.beat({ endpoint, worker, jobs: [], readySince, endsAt: now() + LEASE, removeAfter: 1 });

/** Returns the events of a task that starts, in the order in which ECS sends them. */
function eventsOf(service: string, worker: string, createdAt: number): TaskEvent[] {
  const running = { desiredStatus: 'RUNNING', stopCode: undefined, stoppedReason: undefined, startedAt: undefined };
  const event = (differences: Partial<TaskEvent> & Pick<TaskEvent, 'at' | 'lastStatus'>) =>
    taskEvent({ service, worker, createdAt, ...running, ...differences });
  const pulling = { pullStartedAt: createdAt + 20 };
  const pulled = { ...pulling, pullStoppedAt: createdAt + 60 };
  return [
    event({ lastStatus: 'PENDING', at: createdAt + 10 }),
    event({ lastStatus: 'PENDING', at: createdAt + 20, ...pulling }),
    // ECS moves the end of the pull while it pulls the image of the second container.
    event({ lastStatus: 'PENDING', at: createdAt + 40, ...pulling, pullStoppedAt: createdAt + 40 }),
    event({ lastStatus: 'RUNNING', at: createdAt + 70, ...pulled, startedAt: createdAt + 70 }),
  ];
}

async function timelineOf(endpoint: string, id: string) {
  emulated.clock.advance(ENDPOINT_CACHE);
  const job = JSON.parse(String(await status(emulated.ports, { endpoint, id, timeline: 'true' })));
  const stages = job.timeline as { stage: string; startedAt: string; duration: number }[];
  expect(stages.reduce((sum, { duration }) => sum + duration, 0)).toBe(job.delayTime);
  return stages.map(({ stage, duration }) => [stage, duration]);
}

describe('the start of a worker', () => {
  it('is the same for any order of its events, each of which can arrive twice', async () => {
    await emulated.deploy('sr-a');
    const createdAt = now();
    const expected = {
      createdAt,
      placedAt: createdAt + 10,
      pullStartedAt: createdAt + 20,
      pullStoppedAt: createdAt + 60,
      startedAt: createdAt + 70,
      readyAt: createdAt + 90,
    };
    let run = 0;
    const orders = fc.shuffledSubarray([0, 1, 2, 3, 4, 0, 1, 2, 3, 4], { minLength: 10 });
    const property = fc.asyncProperty(orders, fc.boolean(), async (order, atOnce) => {
      run += 1;
      const ports = portsOf();
      const events = eventsOf('sr-a', `w${run}`, createdAt);
      const steps = order.map((n) => () => {
        const event = events[n];
        return event
          ? observe(ports, event).then(() => undefined)
          : saveStart(ports, 'sr-a', `w${run}`, { readyAt: createdAt + 90 });
      });
      if (atOnce) await Promise.all(steps.map((step) => step()));
      else for (const step of steps) await step();
      expect(await ports.starts.read('sr-a', `w${run}`)).toEqual(expected);
    });
    await fc.assert(property, { seed: seedOf(PROPERTY_SEED), numRuns: 15 });
  }, 60_000);

  it('is written once for each new time, and expires 30 days after the worker was requested', async () => {
    await emulated.deploy('sr-b');
    const ports = portsOf();
    const writes: number[] = [];
    const counting = portsWith(ports, {
      starts: {
        ...ports.starts,
        write: (...written: Parameters<typeof ports.starts.write>) => {
          writes.push(1);
          return ports.starts.write(...written);
        },
      },
    });
    const createdAt = now();
    const [first, , , last] = eventsOf('sr-b', 'w1', createdAt) as [TaskEvent, TaskEvent, TaskEvent, TaskEvent];
    for (const event of [first, first, last, last, first]) await observe(counting, event);
    expect(writes).toHaveLength(2);
    const { Item } = await createDocumentClient().send(
      new GetCommand({
        TableName: 'WORKERS_TABLE',
        Key: { endpoint: 'starts#sr-b', worker: 'w1' },
      }),
    );
    expect(Item?.removeAfter).toBe(Math.ceil((createdAt + STARTS_KEPT) / SECOND));
  });

  it('has the ready time of the lease when the worker stops, if the agent could not store it', async () => {
    await emulated.deploy('sr-c');
    await beat('sr-c', 'w1', now() - 5);
    await observe(portsOf(), taskEvent({ service: 'sr-c', worker: 'w1', at: now(), lastStatus: 'STOPPING' }));
    expect(await emulated.ports.starts.read('sr-c', 'w1')).toMatchObject({ readyAt: now() - 5 });
  });

  it('has the times of its instance, in any order of the events', async () => {
    await emulated.deploy('sr-f');
    const createdAt = now();
    const steps = [0, 1, 2, 0, 1, 2];
    let run = 0;
    const property = fc.asyncProperty(fc.shuffledSubarray(steps, { minLength: steps.length }), async (order) => {
      run += 1;
      const [worker, ecs, ec2] = [`w${run}`, `c${run}`, `i-${run}`];
      const [task] = eventsOf('sr-f', worker, createdAt);
      const instance = (its: InstanceTimes): InstanceEvent => ({ of: 'instance', at: createdAt, instance: its });
      const events = [
        { ...task, containerInstanceArn: `arn:aws:ecs:us-east-1:0:container-instance/fleet/${ecs}` } as TaskEvent,
        instance({ id: ecs, ec2, registeredAt: createdAt + 7 }),
        instance({ id: ec2, launchedAt: createdAt + 3 }),
      ];
      for (const n of order) await observe(portsOf(), events[n] as InstanceEvent | TaskEvent);
      expect(await emulated.ports.starts.read('sr-f', worker)).toEqual({
        createdAt,
        placedAt: createdAt + 10,
        instance: ecs,
        launchedAt: createdAt + 3,
        registeredAt: createdAt + 7,
      });
      // An instance of a warm pool is launched again.
      await observe(portsOf(), instance({ id: ec2, launchedAt: createdAt + 5 }));
      await observe(portsOf(), instance({ id: ec2, launchedAt: createdAt + 3 }));
      expect(await emulated.ports.starts.read('sr-f', worker)).toMatchObject({ launchedAt: createdAt + 5 });
    });
    await fc.assert(property, { seed: seedOf(PROPERTY_SEED), numRuns: 8 });
  }, 60_000);

  it('is not among the leases of the endpoint', async () => {
    await emulated.deploy('sr-d');
    for (const event of eventsOf('sr-d', 'w1', now())) await observe(portsOf(), event);
    expect(await emulated.ports.workers.listNow('sr-d')).toEqual([]);
  });

  it('replaces an item that user code has written', async () => {
    await emulated.deploy('sr-e');
    const key = { endpoint: 'starts#sr-e', worker: 'w1' };
    for (const junk of [
      { instance: '' },
      { instance: 'x'.repeat(3_000) },
      { createdAt: 'x', version: { junk: true } },
      { createdAt: 'x', version: NumberValue.from('1e30') },
      { createdAt: 'x', version: NumberValue.from('0.12345678901234567890123') },
    ]) {
      const put = new PutCommand({ TableName: 'WORKERS_TABLE', Item: { ...key, ...junk } });
      await createDocumentClient().send(put);
      expect(await emulated.ports.starts.read('sr-e', 'w1')).toBeUndefined();
      await saveStart(emulated.ports, 'sr-e', 'w1', { createdAt: 7 });
      expect(await emulated.ports.starts.read('sr-e', 'w1')).toEqual({ createdAt: 7 });
    }
  });
});

describe('the timeline of a job', () => {
  it('has the stages of the worker that started for it, also after the lease of the worker is gone', async () => {
    await emulated.deploy('tl-a');
    const id = await submitJob(emulated.ports, 'tl-a');
    const queuedAt = now();
    for (const event of eventsOf('tl-a', 'w1', queuedAt + 5)) await observe(portsOf(), event);
    await saveStart(emulated.ports, 'tl-a', 'w1', { readyAt: queuedAt + 95 });
    emulated.clock.advance(100);
    await take(emulated.ports, 'w1', { endpoint: 'tl-a', job: id, attempt: 0, generation: 0 });
    expect(await timelineOf('tl-a', id)).toEqual([
      ['QUEUED', 5],
      ['BOOT', 20],
      ['IMAGE', 40],
      ['WORKER', 30],
      ['TAKE', 5],
    ]);
    const { timeline } = JSON.parse(String(await status(emulated.ports, { endpoint: 'tl-a', id, timeline: 'true' })));
    expect(timeline[1]).toEqual({ stage: 'BOOT', startedAt: iso(queuedAt + 5), duration: 20 });
  });

  it('has only QUEUED and TAKE if the worker was ready before the job was queued', async () => {
    await emulated.deploy('tl-b');
    for (const event of eventsOf('tl-b', 'w1', now())) await observe(portsOf(), event);
    await saveStart(emulated.ports, 'tl-b', 'w1', { readyAt: now() + 90 });
    emulated.clock.advance(100);
    const id = await submitJob(emulated.ports, 'tl-b');
    emulated.clock.advance(30);
    await take(emulated.ports, 'w1', { endpoint: 'tl-b', job: id, attempt: 0, generation: 0 });
    expect(await timelineOf('tl-b', id)).toEqual([
      ['QUEUED', 30],
      ['TAKE', 0],
    ]);
  });

  it('ends with the stage that the starting worker has reached, while the job waits', async () => {
    await emulated.deploy('tl-c');
    const id = await submitJob(emulated.ports, 'tl-c');
    await record(portsOf(), await emulated.changes());
    const stages = async () => (await timelineOf('tl-c', id)).map(([stage]) => stage);
    expect(await stages()).toEqual(['QUEUED']);
    const [placed, , , running] = eventsOf('tl-c', 'w1', now()) as [TaskEvent, TaskEvent, TaskEvent, TaskEvent];
    await observe(portsOf(), placed);
    expect(await stages()).toEqual(['QUEUED', 'INSTANCE']);
    await observe(portsOf(), running);
    await beat('tl-c', 'w1', null);
    expect(await stages()).toEqual(['QUEUED', 'BOOT', 'IMAGE', 'WORKER']);
    await saveStart(emulated.ports, 'tl-c', 'w1', { readyAt: now() });
    expect(await stages()).toEqual(['QUEUED', 'BOOT', 'IMAGE', 'WORKER', 'TAKE']);
  });

  it('is QUEUED for a job that ended before a worker took it', async () => {
    await emulated.deploy('tl-d');
    const id = await submitJob(emulated.ports, 'tl-d', { ttl: 10_000 });
    emulated.clock.advance(10_000);
    expect((await timelineOf('tl-d', id)).map(([stage]) => stage)).toEqual(['QUEUED']);
  });

  it('is read only if the client asks for it', async () => {
    await emulated.deploy('tl-e');
    const id = await submitJob(emulated.ports, 'tl-e');
    await take(emulated.ports, 'w1', { endpoint: 'tl-e', job: id, attempt: 0, generation: 0 });
    const read = async () => Promise.reject(new Error('The start was read.'));
    const blind = portsWith(emulated.ports, { starts: { ...emulated.ports.starts, read } });
    const without = String(await status(blind, { endpoint: 'tl-e', id }));
    expect(without).not.toContain('timeline');
    expect(String(await status(blind, { endpoint: 'tl-e', id, timeline: 'false' }))).toBe(without);
    await expect(status(blind, { endpoint: 'tl-e', id, timeline: 'true' })).rejects.toThrow('The start was read.');
  });

  it.each([
    ['yes', '"yes"'],
    ['', '""'],
    ['TRUE', '"TRUE"'],
    [['true', 'false'], '["true","false"]'],
  ])('is refused if the parameter is %j, with the value and the allowed values', async (timeline, shown) => {
    const refused = status(emulated.ports, { endpoint: 'tl-e', id: 'x', timeline });
    await expect(refused).rejects.toThrow(`\`timeline\` must be true or false, got ${shown}.`);
  });
});
