import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { record } from '../../core/ledger/record.ts';
import { LEASE, MESSAGE_LOST, RESEND_CLAIM, RESENT_AT_ONCE } from '../../core/limits.ts';
import { sweep } from '../../core/sweeper/sweep.ts';
import { type EmulatedWorld, startEmulatedWorld, worldWith } from '../emulated-world.ts';
import { finishJob, startJob, submitJob, takeJob } from '../jobs/scripted-job.ts';
import { type RecordedServices, recordServices } from '../recorded-services.ts';
import { noReleases } from '../releases/no-releases.ts';

let emulated: EmulatedWorld;
let world: EmulatedWorld['world'] & ReturnType<typeof noReleases> & { services: RecordedServices };

beforeAll(async () => {
  emulated = await startEmulatedWorld();
});
beforeEach(() => {
  world = worldWith(emulated.world, { ...noReleases(), services: recordServices() });
});
afterAll(() => emulated.stop());

/** The world of the test with parts that fail or interfere. */
const withParts = (parts: object) => worldWith(world, parts) as typeof world;

const follow = async () => record(world, await emulated.changes());
const beat = (endpoint: string, worker: string, jobs: string[]) =>
  world.workers.beat({ endpoint, worker, jobs, endsAt: emulated.clock.now() + LEASE, removeAfter: 1 });

describe('lost messages', () => {
  const idle = (endpoint: string, since: number) =>
    world.workers.beat({
      endpoint,
      worker: 'w1',
      jobs: [],
      idleSince: since,
      endsAt: emulated.clock.now() + LEASE,
      removeAfter: 1,
    });

  it('are sent again when a worker idles although jobs wait', async () => {
    const { normalQueueUrls, lowQueueUrls } = await emulated.deploy('sw-m');
    const [normalQueueUrl, lowQueueUrl] = [normalQueueUrls[0], lowQueueUrls[0]];
    const [normal, low] = [await submitJob(world, 'sw-m'), await submitJob(world, 'sw-m', { lowPriority: true })];
    await follow();
    for (const queue of [normalQueueUrl, lowQueueUrl]) {
      const message = await emulated.nextMessage(queue);
      if (message) await world.jobQueues.drop(message);
    }
    emulated.clock.advance(MESSAGE_LOST);
    const since = emulated.clock.now();
    await idle('sw-m', since);
    expect((await sweep(world)).resent).toBe(0);
    emulated.clock.advance(MESSAGE_LOST - 1);
    await idle('sw-m', since);
    expect((await sweep(world)).resent).toBe(0);
    emulated.clock.advance(1);
    expect((await sweep(world)).resent).toBe(2);
    expect(await emulated.nextMessage(normalQueueUrl)).toMatchObject({ job: normal });
    expect(await emulated.nextMessage(lowQueueUrl)).toMatchObject({ job: low });
  });

  it('are not looked for while every worker is busy', async () => {
    await emulated.deploy('sw-n');
    await submitJob(world, 'sw-n');
    await follow();
    emulated.clock.advance(MESSAGE_LOST);
    await beat('sw-n', 'w1', ['another']);
    expect((await sweep(world)).resent).toBe(0);
  });

  it('are sent again at once, and once, when an endpoint that was removed is deployed again', async () => {
    const before = await emulated.deploy('sw-re');
    const [waiting, stray, running, unnamed] = [
      await submitJob(world, 'sw-re'),
      (await startJob(world, 'sw-re', {}, 'w1')).id,
      (await startJob(world, 'sw-re', {}, 'w2')).id,
      (await startJob(world, 'sw-re', {}, 'w3')).id,
    ];
    await finishJob(world, 'sw-re', { output: 'null' });
    await beat('sw-re', 'w2', [running]);
    await beat('sw-re', 'w3', []);
    await emulated.undeploy(before);
    await world.endpoints.forgetService('sw-re');
    expect((await sweep(world)).resent).toBe(0);
    const { normalQueueUrls } = await emulated.deploy('sw-re');
    expect((await sweep(world)).resent).toBe(3);
    const messages = [waiting, stray, unnamed].map(() => emulated.nextMessage(normalQueueUrls[0]));
    expect(new Set((await Promise.all(messages)).map((message) => message?.job))).toEqual(
      new Set([waiting, stray, unnamed]),
    );
    expect(await emulated.nextMessage(normalQueueUrls[0])).toBeUndefined();
    expect(await takeJob(world, 'sw-re', stray, 'w4')).toMatchObject({ attempt: 2 });
    emulated.clock.advance(LEASE + 1);
    expect(await takeJob(world, 'sw-re', unnamed, 'w4')).toMatchObject({ attempt: 2 });
    expect((await sweep(world)).resent).toBe(0);
  });

  it('are sent by one of several sweeps at once, and by another one if that one did not end', async () => {
    await emulated.deploy('sw-rg');
    for (let n = 0; n < RESENT_AT_ONCE + 1; n += 1) await submitJob(world, 'sw-rg');
    await world.endpoints.forgetService('sw-rg');
    const send = () => Promise.reject(new Error('SQS does not answer.'));
    const failing = withParts({ jobQueues: Object.assign(Object.create(world.jobQueues), { send }) });
    expect((await sweep(failing)).failed).toHaveProperty('sw-rg');
    expect((await sweep(world)).resent).toBe(0);
    emulated.clock.advance(RESEND_CLAIM);
    const both = await Promise.all([sweep(world), sweep(world)]);
    expect(both.map(({ resent }) => resent).sort((one, other) => one - other)).toEqual([0, RESENT_AT_ONCE + 1]);
    expect((await sweep(world)).resent).toBe(0);
  });

  it('are sent again by the next sweep when messages were lost while a sweep sent others', async () => {
    await emulated.deploy('sw-rf');
    await submitJob(world, 'sw-rf');
    await world.endpoints.forgetService('sw-rf');
    const send = async (...args: Parameters<typeof world.jobQueues.send>) => {
      emulated.clock.advance(1);
      await world.endpoints.forgetService('sw-rf');
      await world.jobQueues.send(...args);
    };
    const removedMeanwhile = withParts({ jobQueues: Object.assign(Object.create(world.jobQueues), { send }) });
    expect((await sweep(removedMeanwhile)).resent).toBe(1);
    expect((await sweep(world)).resent).toBe(1);
    expect((await sweep(world)).resent).toBe(0);
  });
});
