/** Compares the number in the response of a purge with the jobs that the purge removed. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { changesFrom } from '../../aws/jobs/job-stream.ts';
import { portsWith } from '../../aws/ports.ts';
import { createSecretPorts } from '../../aws/secret-ports.ts';
import type { Clock } from '../../core/clock.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import { isPurged } from '../../core/jobs/delivery-key.ts';
import type { JobChange } from '../../core/jobs/job.ts';
import { purgeCount, purgeQueue } from '../../core/jobs/purge-queue.ts';
import { record } from '../../core/ledger/record.ts';
import { MINUTE, policyLimits, SECOND } from '../../core/limits.ts';
import { health } from '../../core/status/health.ts';
import { requests } from '../../core/status/requests.ts';
import { status } from '../../core/status/status.ts';
import { sweep, sweepGenerations } from '../../core/sweeper/sweep.ts';
import { finish } from '../../core/workers/report.ts';
import { rescue } from '../../core/workers/rescue.ts';
import { take } from '../../core/workers/take.ts';
import { noReleases } from '../releases/no-releases.ts';
import type { EmulatedDeployment } from '../support/emulated-deployment.ts';
import { type RecordedServices, recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { startJob, submitJob, takeJob } from './scripted-job.ts';

const emulated = useEmulatedDeployment();
const elsewhere = createSecretPorts({ clock: emulated.clock });
type TestPorts = EmulatedDeployment['ports'] & ReturnType<typeof noReleases> & { services: RecordedServices };
let ports: TestPorts;
beforeEach(() => {
  ports = portsWith(emulated.ports, { ...noReleases(), services: recordServices() });
});

/** The ledger counts one batch after the other, as Lambda does. */
let following: Promise<unknown> = Promise.resolve();
function follow(): Promise<unknown> {
  following = following.then(async () => record(ports, await emulated.changes()));
  return following;
}

/**
 * Returns the ports of a purge.
 * @param work takes place during each of its pauses; by default, the ledger counts
 */
function purging(work: (pause: number) => Promise<unknown> = follow): TestPorts {
  let pauses = 0;
  const clock: Clock = {
    now: () => emulated.clock.now(),
    async pause(milliseconds) {
      pauses += 1;
      await work(pauses);
      await emulated.clock.pause(milliseconds);
    },
  };
  return portsWith(ports, { clock });
}

const many = <Result>(count: number, make: (n: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));
const submitJobs = (endpoint: string, count: number) => many(count, () => submitJob(ports, endpoint));
const read = async (endpoint: string, id: string) => JSON.parse(String(await status(ports, { endpoint, id })));

/** Returns how many jobs of the endpoint a client sees as purged. */
async function purgedJobs(endpoint: string): Promise<number> {
  emulated.clock.advance(SECOND);
  const ids: string[] = [];
  for await (const { id } of ports.jobs.list(endpoint)) ids.push(id);
  const records = await Promise.all(ids.map((id) => read(endpoint, id)));
  return records.filter(({ code }) => code === 'PURGED').length;
}

const takes = (endpoint: string, ids: readonly string[]) =>
  Promise.all(ids.map((job) => take(elsewhere, 'w1', { endpoint, job, attempt: 0, generation: 0 })));

describe('the number of removed jobs', () => {
  it.each([0, 10])('is exact for %d jobs that were submitted just before', async (count) => {
    await emulated.deploy(`pc-a${count}`);
    await submitJobs(`pc-a${count}`, count);
    expect((await purgeQueue(purging(), `pc-a${count}`)).removed).toBe(count);
    expect(await purgedJobs(`pc-a${count}`)).toBe(count);
  });

  it('is 0 when all jobs have just ended', async () => {
    await emulated.deploy('pc-b');
    const ids = await submitJobs('pc-b', 5);
    await follow();
    for (const id of ids) await finish(ports, await takeJob(ports, 'pc-b', id), { output: '1' });
    expect((await purgeQueue(purging(), 'pc-b')).removed).toBe(0);
  });

  it('is exact while workers take jobs and clients cancel jobs', async () => {
    await emulated.deploy('pc-c');
    const ids = await submitJobs('pc-c', 30);
    await follow();
    const work = async (pause: number) => {
      if (pause === 1) {
        await takes('pc-c', ids.slice(0, 8));
        await many(3, (n) => cancel(elsewhere, { endpoint: 'pc-c', id: ids[10 + n] ?? '' }));
      }
      await follow();
    };
    // The other process has just read the endpoint, so it uses the old generation while the purge waits.
    await elsewhere.endpoints.read('pc-c');
    const { removed } = await purgeQueue(purging(work), 'pc-c');
    expect(removed).toBe(19);
    expect(await purgedJobs('pc-c')).toBe(19);
  });

  it('includes jobs that are submitted in the old generation while the purge waits', async () => {
    await emulated.deploy('pc-d');
    await submitJobs('pc-d', 4);
    const work = async (pause: number) => {
      if (pause === 1) await many(6, () => submitJob(elsewhere, 'pc-d'));
      await follow();
    };
    await elsewhere.endpoints.read('pc-d');
    const { removed } = await purgeQueue(purging(work), 'pc-d');
    expect(removed).toBe(10);
    await submitJobs('pc-d', 2);
    expect(await purgedJobs('pc-d')).toBe(10);
  });

  it('includes jobs that clients read, and that are stored as purged, before they are counted', async () => {
    await emulated.deploy('pc-e');
    const ids = await submitJobs('pc-e', 6);
    const work = async (pause: number) => {
      if (pause === 2) for (const id of ids.slice(0, 4)) await read('pc-e', id);
      if (pause > 2) await follow();
    };
    expect((await purgeQueue(purging(work), 'pc-e')).removed).toBe(6);
  });

  it('does not include jobs that were retried, requeued or ended before, and includes those that wait again', async () => {
    await emulated.deploy('pc-f');
    await submitJobs('pc-f', 1);
    const lost = await startJob(ports, 'pc-f');
    await rescue(ports, lost, 0, 0);
    const runs = await startJob(ports, 'pc-f');
    const expires = await submitJob(ports, 'pc-f', { ttl: policyLimits.ttl.min });
    emulated.clock.advance(policyLimits.ttl.min);
    expect(await read('pc-f', expires)).toMatchObject({ status: 'TIMED_OUT' });
    expect((await purgeQueue(purging(), 'pc-f')).removed).toBe(2);
    expect(await read('pc-f', lost.id)).toMatchObject({ code: 'PURGED' });
    expect(await read('pc-f', runs.id)).toMatchObject({ status: 'IN_PROGRESS' });
    expect(await purgedJobs('pc-f')).toBe(2);
  });

  it('is shared by two simultaneous purges without a common job', async () => {
    await emulated.deploy('pc-g');
    await submitJobs('pc-g', 7);
    await elsewhere.endpoints.read('pc-g');
    const { promise: submitted, resolve } = Promise.withResolvers<void>();
    let waiting = 0;
    const work = async (pause: number) => {
      if (pause === 1) {
        waiting += 1;
        // Both purges have raised the generation. No time passes while jobs arrive in the old generation.
        if (waiting === 2) await many(3, () => submitJob(elsewhere, 'pc-g')).then(() => resolve());
        await submitted;
      }
      await follow();
    };
    const both = await Promise.all([purgeQueue(purging(work), 'pc-g'), purgeQueue(purging(work), 'pc-g')]);
    expect(both.map(({ removed }) => removed).sort((a, b) => a - b)).toEqual([0, 10]);
    expect(await purgedJobs('pc-g')).toBe(10);
  });

  it('is counted by each of many purges, while a sweep removes the counters of earlier ones', async () => {
    await emulated.deploy('pc-h');
    for (const count of [3, 0, 5, 1]) {
      await submitJobs('pc-h', count);
      const begin = emulated.clock.now();
      const work = async () => {
        await follow();
        const endpoint = await ports.endpoints.readNow('pc-h');
        if (endpoint) await sweepGenerations(ports, endpoint);
      };
      expect((await purgeQueue(purging(work), 'pc-h')).removed).toBe(count);
      // The ledger has counted the jobs, and the purge has not read them.
      expect(emulated.clock.now() - begin).toBeLessThan(purgeCount.ledger);
    }
    emulated.clock.advance(MINUTE);
    await sweep(ports);
    expect(await ports.endpoints.readNow('pc-h')).toMatchObject({ purgedCounters: [] });
  });

  it('is exact although batches of the stream are repeated with other boundaries', async () => {
    await emulated.deploy('pc-i');
    await submitJobs('pc-i', 12);
    const seen: JobChange[] = [];
    const work = async () => {
      seen.push(...(await emulated.changes()));
      await record(ports, seen.slice(0, 7));
      await record(ports, seen);
      await record(ports, seen.slice(4));
    };
    expect((await purgeQueue(purging(work), 'pc-i')).removed).toBe(12);
  });

  it('is counted by a query after ten seconds if the ledger is late, and the ledger agrees later', async () => {
    await emulated.deploy('pc-j');
    const ids = await submitJobs('pc-j', 9);
    const begin = emulated.clock.now();
    // The first pause is the one before the markers. The ledger counts nothing.
    const work = async (pause: number) => {
      if (pause === 2) for (const id of ids.slice(0, 4)) await read('pc-j', id);
    };
    expect((await purgeQueue(purging(work), 'pc-j')).removed).toBe(9);
    expect(emulated.clock.now() - begin).toBeGreaterThanOrEqual(purgeCount.ledger);
    expect(emulated.clock.now() - begin).toBeLessThan(purgeCount.ledger + 2 * SECOND);
    await follow();
    expect(await ports.purgeCounts.readLedger('pc-j', 0)).toEqual({ removed: 9, isComplete: true });
  });

  it('is the number that the ledger has counted if it is late and the jobs are too many to be read', async () => {
    await emulated.deploy('pc-k');
    await submitJobs('pc-k', 3);
    await follow();
    await submitJobs('pc-k', 1);
    const late = portsWith(
      purging(async () => undefined),
      {
        purgeCounts: { ...ports.purgeCounts, countStored: async () => undefined },
      },
    );
    expect((await purgeQueue(late, 'pc-k')).removed).toBe(3);
  });

  it('is not complete before the ledger has counted the markers of all partitions', async () => {
    await emulated.deploy('pc-l');
    await submitJobs('pc-l', 8);
    await ports.purgeCounts.mark('pc-l', 0, 1);
    const all = await emulated.changes();
    const markers = all.filter(({ marker }) => marker?.endpoint === 'pc-l');
    expect(markers).toHaveLength(4);
    for (const [n, { sequence }] of markers.entries()) {
      expect(await ports.purgeCounts.readLedger('pc-l', 0)).toMatchObject({ isComplete: false });
      const before = markers[n - 1]?.sequence ?? '';
      await record(
        ports,
        all.filter((change) => change.sequence > before && change.sequence <= sequence),
      );
    }
    expect(await ports.purgeCounts.readLedger('pc-l', 0)).toEqual({ removed: 8, isComplete: true });
  });
});

describe('the markers of a purge', () => {
  it('are read by no list of jobs, change no count, and are not set aside', async () => {
    await emulated.deploy('pc-m');
    const [id] = await submitJobs('pc-m', 1);
    await purgeQueue(purging(), 'pc-m');
    const after = await submitJob(ports, 'pc-m');
    await follow();
    const { requests: listed } = JSON.parse(await requests(ports, { endpoint: 'pc-m' }));
    expect(new Set(listed.map((job: { id: string }) => job.id))).toEqual(new Set([id, after]));
    expect(listed).toHaveLength(2);
    const stored = new Map<string, string>();
    for await (const job of ports.jobs.list('pc-m')) stored.set(job.id, isPurged(job) ? 'purged' : job.status);
    expect(Object.fromEntries(stored)).toEqual({ [id ?? '']: 'purged', [after]: 'IN_QUEUE' });
    emulated.clock.advance(MINUTE);
    expect((await health(ports, 'pc-m')).jobs).toMatchObject({ inQueue: 1, inProgress: 0, completed: 0, failed: 0 });
    for (let n = 0; n < 2; n += 1) expect((await sweep(ports)).corrected).not.toHaveProperty('pc-m');
  });

  const image = {
    partition: { S: 'pc-n#1' },
    id: { S: '#purge' },
    generation: { N: '3' },
    removeAfter: { N: '1' },
  };

  it('are no change when DynamoDB removes them, and are set aside if they have no generation', () => {
    expect(changesFrom([{ dynamodb: { SequenceNumber: '1', NewImage: image } }])).toMatchObject({
      changes: [{ marker: { endpoint: 'pc-n', partition: 'pc-n#1', generation: 3 } }],
      unreadable: [],
    });
    expect(changesFrom([{ dynamodb: { SequenceNumber: '1', OldImage: image } }])).toEqual({
      changes: [],
      unreadable: [],
    });
    const { generation: _, ...broken } = image;
    expect(changesFrom([{ dynamodb: { SequenceNumber: '1', NewImage: broken } }])).toMatchObject({
      changes: [],
      unreadable: [{ partition: 'pc-n#1', name: '#purge', reason: 'generation: invalid_type' }],
    });
  });
});
