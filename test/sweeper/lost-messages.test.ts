import { beforeEach, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { record } from '../../core/ledger/record.ts';
import { LEASE, MESSAGE_LOST, RESEND_TIMEOUT, RESENT_AT_ONCE } from '../../core/limits.ts';
import { sweep } from '../../core/sweeper/sweep.ts';
import { finishJob, startJob, submitJob, takeJob } from '../jobs/scripted-job.ts';
import { noReleases } from '../releases/no-releases.ts';
import type { EmulatedDeployment } from '../support/emulated-deployment.ts';
import { type RecordedServices, recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
let ports: EmulatedDeployment['ports'] & ReturnType<typeof noReleases> & { services: RecordedServices };

beforeEach(() => {
  ports = portsWith(emulated.ports, { ...noReleases(), services: recordServices() });
});

/** @returns ports with the given parts replaced */
const withParts = (parts: object) => portsWith(ports, parts) as typeof ports;

const follow = async () => record(ports, await emulated.changes());
const beat = (endpoint: string, worker: string, jobs: string[]) =>
  ports.workers.beat({ endpoint, worker, jobs, endsAt: emulated.clock.now() + LEASE, removeAfter: 1, readySince: 1 });

describe('lost messages', () => {
  const idle = (endpoint: string, since: number) =>
    ports.workers.beat({
      endpoint,
      worker: 'w1',
      jobs: [],
      idleSince: since,
      endsAt: emulated.clock.now() + LEASE,
      removeAfter: 1,
      readySince: 1,
    });

  it('are sent again when a worker idles although jobs wait', async () => {
    const { normalQueueUrls, lowQueueUrls } = await emulated.deploy('sw-m');
    const [normalQueueUrl, lowQueueUrl] = [normalQueueUrls[0], lowQueueUrls[0]];
    const [normal, low] = [await submitJob(ports, 'sw-m'), await submitJob(ports, 'sw-m', { lowPriority: true })];
    await follow();
    for (const queue of [normalQueueUrl, lowQueueUrl]) {
      const message = await emulated.nextMessage(queue);
      if (message) await ports.jobQueues.drop(message);
    }
    emulated.clock.advance(MESSAGE_LOST);
    const since = emulated.clock.now();
    await idle('sw-m', since);
    expect((await sweep(ports)).resent).toBe(0);
    emulated.clock.advance(MESSAGE_LOST - 1);
    await idle('sw-m', since);
    expect((await sweep(ports)).resent).toBe(0);
    emulated.clock.advance(1);
    expect((await sweep(ports)).resent).toBe(2);
    expect(await emulated.nextMessage(normalQueueUrl)).toMatchObject({ job: normal });
    expect(await emulated.nextMessage(lowQueueUrl)).toMatchObject({ job: low });
  });

  it('are not searched for while every worker is busy', async () => {
    await emulated.deploy('sw-n');
    await submitJob(ports, 'sw-n');
    await follow();
    emulated.clock.advance(MESSAGE_LOST);
    await beat('sw-n', 'w1', ['another']);
    expect((await sweep(ports)).resent).toBe(0);
  });

  it('are sent again immediately and only once when a removed endpoint is deployed again', async () => {
    const before = await emulated.deploy('sw-re');
    const [waiting, stray, running, unnamed] = [
      await submitJob(ports, 'sw-re'),
      (await startJob(ports, 'sw-re', {}, 'w1')).id,
      (await startJob(ports, 'sw-re', {}, 'w2')).id,
      (await startJob(ports, 'sw-re', {}, 'w3')).id,
    ];
    await finishJob(ports, 'sw-re', { output: 'null' });
    await beat('sw-re', 'w2', [running]);
    await beat('sw-re', 'w3', []);
    await emulated.undeploy(before);
    await ports.endpoints.forgetService('sw-re');
    expect((await sweep(ports)).resent).toBe(0);
    const { normalQueueUrls } = await emulated.deploy('sw-re');
    expect((await sweep(ports)).resent).toBe(3);
    const messages = [waiting, stray, unnamed].map(() => emulated.nextMessage(normalQueueUrls[0]));
    expect(new Set((await Promise.all(messages)).map((message) => message?.job))).toEqual(
      new Set([waiting, stray, unnamed]),
    );
    expect(await emulated.nextMessage(normalQueueUrls[0])).toBeUndefined();
    expect(await takeJob(ports, 'sw-re', stray, 'w4')).toMatchObject({ attempt: 2 });
    emulated.clock.advance(LEASE + 1);
    expect(await takeJob(ports, 'sw-re', unnamed, 'w4')).toMatchObject({ attempt: 2 });
    expect((await sweep(ports)).resent).toBe(0);
  });

  it('are sent by one of several simultaneous sweeps, and by another sweep if the first did not finish', async () => {
    await emulated.deploy('sw-rg');
    for (let n = 0; n < RESENT_AT_ONCE + 1; n += 1) await submitJob(ports, 'sw-rg');
    await ports.endpoints.forgetService('sw-rg');
    const send = () => Promise.reject(new Error('SQS does not answer.'));
    const failing = withParts({ jobQueues: Object.assign(Object.create(ports.jobQueues), { send }) });
    expect((await sweep(failing)).failed).toHaveProperty('sw-rg');
    expect((await sweep(ports)).resent).toBe(0);
    emulated.clock.advance(RESEND_TIMEOUT);
    const both = await Promise.all([sweep(ports), sweep(ports)]);
    expect(both.map(({ resent }) => resent).sort((one, other) => one - other)).toEqual([0, RESENT_AT_ONCE + 1]);
    expect((await sweep(ports)).resent).toBe(0);
  });

  it('are sent again by the next sweep when messages were lost while a sweep sent others', async () => {
    await emulated.deploy('sw-rf');
    await submitJob(ports, 'sw-rf');
    await ports.endpoints.forgetService('sw-rf');
    const send = async (...args: Parameters<typeof ports.jobQueues.send>) => {
      emulated.clock.advance(1);
      await ports.endpoints.forgetService('sw-rf');
      await ports.jobQueues.send(...args);
    };
    const removedMeanwhile = withParts({ jobQueues: Object.assign(Object.create(ports.jobQueues), { send }) });
    expect((await sweep(removedMeanwhile)).resent).toBe(1);
    expect((await sweep(ports)).resent).toBe(1);
    expect((await sweep(ports)).resent).toBe(0);
  });
});
