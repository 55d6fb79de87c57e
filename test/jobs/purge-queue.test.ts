import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Ports, portsWith } from '../../aws/ports.ts';
import { createSecretPorts } from '../../aws/secret-ports.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import { type PurgeCounts, purgeQueue } from '../../core/jobs/purge-queue.ts';
import { record } from '../../core/ledger/record.ts';
import { DAY, LEASE, MINUTE, policyLimits } from '../../core/limits.ts';
import { EndpointNotFound } from '../../core/requests/errors.ts';
import { health } from '../../core/status/health.ts';
import { status } from '../../core/status/status.ts';
import { run } from '../../core/submission/submit.ts';
import { sweep } from '../../core/sweeper/sweep.ts';
import { finish } from '../../core/workers/report.ts';
import { take } from '../../core/workers/take.ts';
import { noReleases } from '../releases/no-releases.ts';
import type { EmulatedDeployment } from '../support/emulated-deployment.ts';
import { type RecordedServices, recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { finishJob, startJob, submitJob, takeJob } from './scripted-job.ts';

const emulated = useEmulatedDeployment();
let ports: EmulatedDeployment['ports'] & ReturnType<typeof noReleases> & { services: RecordedServices };
/** The ports of another process, which has separate caches. */
let elsewhere: Ports;
/** Number of calls to AWS by `elsewhere`. */
let calls = 0;

beforeAll(async () => {
  elsewhere = createSecretPorts({
    clock: emulated.clock,
    onClient: (client) => {
      const count =
        <Result>(next: (args: never) => Promise<Result>) =>
        async (args: unknown) => {
          calls += 1;
          return next(args as never);
        };
      (client.middlewareStack as { add(middleware: unknown, options: object): void }).add(count, {
        step: 'initialize',
      });
    },
  });
});
beforeEach(() => {
  ports = portsWith(emulated.ports, { ...noReleases(), services: recordServices() });
});

const statusOf = async (endpoint: string, id: string) => JSON.parse(String(await status(ports, { endpoint, id })));
const follow = async () => record(ports, await emulated.changes());
const present = (endpoint: string) => ports.endpoints.readNow(endpoint);
const beat = (endpoint: string, worker: string, jobs: string[]) =>
  ports.workers.beat({ endpoint, worker, jobs, endsAt: emulated.clock.now() + LEASE, removeAfter: 1, readySince: 1 });

/** Counts of a ledger that is never late. A purge that waits for the ledger waits long enough for caches to expire. */
const countedAtOnce: PurgeCounts = {
  mark: async () => undefined,
  readLedger: async () => ({ removed: 1, isComplete: true }),
  countStored: async () => 1,
};

async function submitJobs(endpoint: string, count: number, by: Ports = ports): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => submitJob(by, endpoint)));
}

describe('a purge', () => {
  it('removes the waiting jobs, returns their number, and removes no later job', async () => {
    await emulated.deploy('pq-a');
    const before = [...(await submitJobs('pq-a', 4)), await submitJob(ports, 'pq-a', { lowPriority: true })];
    await follow();
    expect(await purgeQueue(ports, 'pq-a')).toEqual({ removed: 5, status: 'completed' });
    const after = await submitJob(ports, 'pq-a');
    for (const id of before) {
      expect(await take(ports, 'w1', { endpoint: 'pq-a', job: id, attempt: 0, generation: 0 })).toEqual({
        outcome: 'stale',
      });
      expect(await statusOf('pq-a', id)).toMatchObject({ status: 'CANCELLED', code: 'PURGED', attempts: 0 });
    }
    expect(await takeJob(ports, 'pq-a', after)).toMatchObject({ attempt: 1 });
  });

  it('does not remove running jobs, even if their worker is lost afterwards', async () => {
    const [even, odd] = (await emulated.deploy('pq-b')).normalQueueUrls;
    const [ends, lost] = [await startJob(ports, 'pq-b'), await startJob(ports, 'pq-b', {}, 'w2')];
    await beat('pq-b', 'w2', [lost.id]);
    for (let message = await emulated.nextMessage(even); message; message = await emulated.nextMessage(even))
      await ports.jobQueues.drop(message);
    await purgeQueue(ports, 'pq-b');
    expect(await finish(ports, ends, { output: '1' })).toBe(true);
    expect((await statusOf('pq-b', ends.id)).status).toBe('COMPLETED');
    emulated.clock.advance(LEASE + 1);
    await sweep(ports);
    expect((await statusOf('pq-b', lost.id)).status).toBe('IN_QUEUE');
    expect(await emulated.nextMessage(odd)).toMatchObject({ job: lost.id, generation: 1 });
    expect(await takeJob(ports, 'pq-b', lost.id, 'w3')).toMatchObject({ attempt: 2 });
  });

  it('does not change jobs that have ended, and the jobs that it removes cannot be cancelled', async () => {
    await emulated.deploy('pq-c');
    const done = await finishJob(ports, 'pq-c', { output: '1' });
    const purged = await submitJob(ports, 'pq-c');
    await purgeQueue(ports, 'pq-c');
    expect((await statusOf('pq-c', done)).status).toBe('COMPLETED');
    await cancel(ports, { endpoint: 'pq-c', id: purged });
    expect(await statusOf('pq-c', purged)).toMatchObject({ status: 'CANCELLED', code: 'PURGED' });
  });

  it('keeps the webhook in the record of a job that it removes, as one that is not sent', async () => {
    await emulated.deploy('pq-l');
    const body = Buffer.from('{"input":{},"webhook":"https://receiver.example/"}');
    const { id } = await run(ports, { endpoint: 'pq-l', owner: 'ada', body });
    expect((await statusOf('pq-l', id)).webhook).toEqual({ state: 'PENDING', attempts: 0 });
    await purgeQueue(ports, 'pq-l');
    expect(await statusOf('pq-l', id)).toMatchObject({ code: 'PURGED', webhook: { state: 'NOT_SENT', attempts: 0 } });
    const plain = await submitJob(ports, 'pq-l');
    await purgeQueue(ports, 'pq-l');
    expect(await statusOf('pq-l', plain)).not.toHaveProperty('webhook');
  });

  it('removes the jobs that arrived after an earlier purge', async () => {
    await emulated.deploy('pq-d');
    await submitJobs('pq-d', 3);
    await follow();
    expect((await purgeQueue(ports, 'pq-d')).removed).toBe(3);
    expect((await purgeQueue(ports, 'pq-d')).removed).toBe(0);
    const [id = ''] = await submitJobs('pq-d', 1);
    await follow();
    expect((await purgeQueue(ports, 'pq-d')).removed).toBe(1);
    expect((await statusOf('pq-d', id)).code).toBe('PURGED');
  });

  it('does not count jobs that a simultaneous purge counts', async () => {
    await emulated.deploy('pq-e');
    const ids = await submitJobs('pq-e', 3);
    await follow();
    const both = await Promise.all([purgeQueue(ports, 'pq-e'), purgeQueue(elsewhere, 'pq-e')]);
    expect(both.map(({ removed }) => removed).sort()).toEqual([0, 3]);
    for (const id of ids) expect((await statusOf('pq-e', id)).code).toBe('PURGED');
  });

  it('affects exactly the earlier jobs, although another process has an older copy of the endpoint', async () => {
    await emulated.deploy('pq-f');
    const before = await submitJob(elsewhere, 'pq-f');
    await purgeQueue(portsWith(ports, { purgeCounts: countedAtOnce }), 'pq-f');
    // A removed job does not start, and a job that arrives after the response is not removed.
    expect((await take(elsewhere, 'w1', { endpoint: 'pq-f', job: before, attempt: 0, generation: 0 })).outcome).toBe(
      'stale',
    );
    const after = await submitJob(elsewhere, 'pq-f');
    expect((await statusOf('pq-f', after)).status).toBe('IN_QUEUE');
    expect(await takeJob(elsewhere, 'pq-f', after)).toMatchObject({ generation: 1 });
  });

  it('can remove a job that arrives during the purge, and removes no job that arrives later', async () => {
    await emulated.deploy('pq-g');
    const during: Promise<string>[] = [];
    for (let round = 0; round < 3; round += 1) {
      const purge = purgeQueue(ports, 'pq-g');
      for (let n = 0; n < 8; n += 1) during.push(submitJob(n % 2 ? elsewhere : ports, 'pq-g'));
      await purge;
      const after = await submitJobs('pq-g', 2, elsewhere);
      for (const id of after) expect((await takeJob(ports, 'pq-g', id)).status).toBe('IN_PROGRESS');
    }
    for (const id of await Promise.all(during)) {
      const taken = await take(ports, 'w1', { endpoint: 'pq-g', job: id, attempt: 0, generation: 0 });
      const { status: stored, code } = await statusOf('pq-g', id);
      expect([stored, code]).toEqual(taken.outcome === 'taken' ? ['IN_PROGRESS', undefined] : ['CANCELLED', 'PURGED']);
    }
  });

  it('makes the same number of calls for any number of waiting jobs', async () => {
    await emulated.deploy('pq-h');
    const callsOfPurge = async () => {
      emulated.clock.advance(MINUTE);
      const before = calls;
      await purgeQueue(elsewhere, 'pq-h');
      return calls - before;
    };
    await submitJobs('pq-h', 1);
    const few = await callsOfPurge();
    await submitJobs('pq-h', 40);
    expect(await callsOfPurge()).toBe(few);
    expect(few).toBeGreaterThan(0);
  });

  it('fails with 404 for an endpoint that does not exist', async () => {
    await expect(purgeQueue(ports, 'nowhere')).rejects.toThrow(EndpointNotFound);
  });
});

describe('after a purge,', () => {
  const inQueue = async (endpoint: string, by: Ports = ports) => (await health(by, endpoint)).jobs.inQueue;

  it('health counts no waiting job, even in a process that has just counted', async () => {
    await emulated.deploy('pq-i');
    await submitJobs('pq-i', 3);
    await follow();
    expect(await inQueue('pq-i', elsewhere)).toBe(3);
    await purgeQueue(ports, 'pq-i');
    expect(await inQueue('pq-i', elsewhere)).toBe(0);
    await submitJob(ports, 'pq-i');
    await follow();
    emulated.clock.advance(MINUTE);
    expect(await inQueue('pq-i')).toBe(1);
  });

  it('no worker starts for removed jobs, although the ledger counts them later', async () => {
    await emulated.deploy('pq-j', { maxWorkers: 5 });
    await submitJobs('pq-j', 4);
    await purgeQueue(ports, 'pq-j');
    await follow();
    expect(ports.services.desiredCounts.get('pq-j')).toEqual([0]);
    // A new job is counted, although other jobs are stored as purged.
    for await (const job of ports.jobs.list('pq-j')) await statusOf('pq-j', job.id);
    await submitJob(ports, 'pq-j');
    await follow();
    expect(ports.services.desiredCounts.get('pq-j')).toEqual([0, 1]);
  });

  it('the sweeper finds no difference when it reconciles, and removes the counters of purged jobs', async () => {
    await emulated.deploy('pq-k');
    for (let round = 0; round < 3; round += 1) {
      await submitJobs('pq-k', 3);
      await submitJob(ports, 'pq-k', { lowPriority: true });
      await follow();
      await purgeQueue(ports, 'pq-k');
    }
    await submitJobs('pq-k', 2);
    await follow();
    expect((await present('pq-k'))?.purgedCounters.toSorted()).toEqual([
      'inQueue',
      'inQueue#1',
      'inQueue#2',
      'lowInQueue',
      'lowInQueue#1',
      'lowInQueue#2',
      'marked',
      'marked#1',
      'marked#2',
    ]);
    // A purge might still read them.
    await sweep(ports);
    expect((await present('pq-k'))?.purgedCounters).toHaveLength(9);
    emulated.clock.advance(MINUTE);
    for (let n = 0; n < 2; n += 1) expect((await sweep(ports)).corrected).not.toHaveProperty('pq-k');
    expect(await present('pq-k')).toMatchObject({
      purgedCounters: [],
      counts: { inQueue: 2 },
      reconciliation: expect.anything(),
    });

    // The jobs are stored as purged when their ttl ends.
    emulated.clock.advance(policyLimits.ttl.default - MINUTE);
    const waiting = await submitJob(ports, 'pq-k', { ttl: DAY });
    emulated.clock.advance(2 * MINUTE);
    expect((await sweep(ports)).ended).toBeGreaterThanOrEqual(14);
    await follow();
    expect((await present('pq-k'))?.counts).toMatchObject({ inQueue: 1, failed: 2 });
    await sweep(ports);
    expect(await present('pq-k')).toMatchObject({ purgedCounters: [], counts: { inQueue: 1, failed: 2 } });
    expect((await statusOf('pq-k', waiting)).status).toBe('IN_QUEUE');
  });
});
