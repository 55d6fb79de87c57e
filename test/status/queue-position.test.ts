import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { createSecretPorts } from '../../aws/secret-ports.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import { purgeQueue } from '../../core/jobs/purge-queue.ts';
import { record } from '../../core/ledger/record.ts';
import { DAY, ENDPOINT_CACHE, HOUR, SECOND } from '../../core/limits.ts';
import { requests } from '../../core/status/requests.ts';
import { runSync } from '../../core/status/runsync.ts';
import { status } from '../../core/status/status.ts';
import { statusSync } from '../../core/status/status-sync.ts';
import { retry } from '../../core/submission/retry.ts';
import { finish } from '../../core/workers/report.ts';
import { rescue } from '../../core/workers/rescue.ts';
import { startJob, submitJob, takeJob } from '../jobs/scripted-job.ts';
import { createCallCounter } from '../support/call-counter.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { ports } = emulated;

/** Counts all changes as the ledger does, and lets every cache expire. */
async function follow() {
  await record({ ...ports, services: recordServices() }, await emulated.changes());
  emulated.clock.advance(ENDPOINT_CACHE);
}

/** Submits jobs 10 s apart. */
async function submitApart(endpoint: string, policies: readonly object[]): Promise<string[]> {
  const ids: string[] = [];
  for (const policy of policies) {
    ids.push(await submitJob(ports, endpoint, policy));
    emulated.clock.advance(10 * SECOND);
  }
  return ids;
}

type Listed = Readonly<Partial<Record<'id' | 'queuePosition' | 'waitReason' | 'waitDetail', unknown>>>;

const listOf = async (endpoint: string): Promise<Listed[]> =>
  JSON.parse(await requests(ports, { endpoint, limit: '100' })).requests;
const recordOf = async (endpoint: string, id: string) => JSON.parse(String(await status(ports, { endpoint, id })));

/** @returns the positions that clients see after the ledger has counted the jobs */
async function positions(endpoint: string, ids: readonly string[]): Promise<unknown[]> {
  await follow();
  return Promise.all(ids.map(async (id) => (await recordOf(endpoint, id)).queuePosition));
}

describe('the position of a job', () => {
  it('decreases as jobs ahead of it are taken, cancelled or overdue', async () => {
    await emulated.deploy('qp-a');
    const brief = { ttl: 60_000 };
    const [a = '', b = '', c = '', d = '', e = ''] = await submitApart('qp-a', [{}, brief, {}, {}, {}]);
    expect(await positions('qp-a', [a, b, c, d, e])).toEqual([1, 2, 3, 4, 5]);
    await takeJob(ports, 'qp-a', a);
    expect(await positions('qp-a', [a, b, c, d, e])).toEqual([undefined, 1, 2, 3, 4]);
    await cancel(ports, { endpoint: 'qp-a', id: c });
    expect(await positions('qp-a', [b, d, e])).toEqual([1, 2, 3]);
    emulated.clock.advance(60_000);
    expect((await recordOf('qp-a', b)).status).toBe('TIMED_OUT');
    expect(await positions('qp-a', [b, d, e])).toEqual([undefined, 1, 2]);
  });

  it('counts jobs of earlier days, but no jobs that arrived in the same 10 s', async () => {
    await emulated.deploy('qp-b');
    const week = { ttl: 7 * DAY };
    const [a = ''] = await submitApart('qp-b', [week]);
    emulated.clock.advance(DAY);
    const [b = ''] = await submitApart('qp-b', [week]);
    emulated.clock.advance(5 * DAY - (emulated.clock.now() % (10 * SECOND)));
    const [c, d] = [await submitJob(ports, 'qp-b'), await submitJob(ports, 'qp-b')];
    expect(await positions('qp-b', [a, b, c, d])).toEqual([1, 2, 3, 3]);
  });

  it('is behind all normal jobs for a job of low priority', async () => {
    await emulated.deploy('qp-c');
    const low = { lowPriority: true };
    const [a = '', b = '', c = '', d = ''] = await submitApart('qp-c', [low, {}, low, {}]);
    expect(await positions('qp-c', [b, d, a, c])).toEqual([1, 2, 3, 4]);
  });

  it('is the last for a retried job, and unchanged for a job whose worker was lost', async () => {
    await emulated.deploy('qp-d');
    const [a = '', b = '', c = '', d = ''] = await submitApart('qp-d', [{}, {}, {}, {}]);
    await finish(ports, await takeJob(ports, 'qp-d', a), { error: 'no' });
    await retry(ports, { endpoint: 'qp-d', id: a });
    const lost = await takeJob(ports, 'qp-d', b);
    expect(await positions('qp-d', [c, d, a])).toEqual([1, 2, 3]);
    await rescue(ports, lost, 0, 0);
    expect(await positions('qp-d', [b, c, d, a])).toEqual([1, 2, 3, 4]);
  });

  it('does not count purged jobs, but counts a job that ran during a purge and is requeued', async () => {
    await emulated.deploy('qp-e');
    const running = await startJob(ports, 'qp-e');
    emulated.clock.advance(10 * SECOND);
    await submitApart('qp-e', [{}, {}, {}]);
    await follow();
    await purgeQueue(ports, 'qp-e');
    const [a = '', b = ''] = await submitApart('qp-e', [{}, {}]);
    expect(await positions('qp-e', [a, b])).toEqual([1, 2]);
    await rescue(ports, running, 0, 1);
    expect(await positions('qp-e', [running.id, a, b])).toEqual([1, 2, 3]);
  });

  it('is in all responses that show a job, even before the ledger has counted it', async () => {
    await emulated.deploy('qp-f');
    await submitApart('qp-f', [{}]);
    await follow();
    const request = { endpoint: 'qp-f', owner: 'ada', body: Buffer.from('{"input":{}}'), wait: '1000' };
    const { id, ...waited } = JSON.parse(String(await runSync(ports, request)));
    expect(waited).toMatchObject({ status: 'IN_QUEUE', attempts: 0, queuePosition: 1, waitReason: 'SCALING_UP' });
    await follow();
    const again = JSON.parse(String(await statusSync(ports, { endpoint: 'qp-f', id, wait: '1000' })));
    expect(again).toMatchObject({ id, status: 'IN_QUEUE', attempts: 0, queuePosition: 2, waitReason: 'SCALING_UP' });
  });

  it('is at most the number of waiting jobs, even if the counters are wrong', async () => {
    await emulated.deploy('qp-g');
    const [a = '', b = ''] = await submitApart('qp-g', [{}, {}]);
    const hourAgo = Math.floor((emulated.clock.now() - HOUR) / (10 * SECOND));
    const drift = (sequence: string, by: number) =>
      ports.arrivals.add('qp-g', new Map([['qp-g#9', { sequence, arrivals: { [`0#normal#${hourAgo}`]: by } }]]));
    await drift('1', 100);
    expect(await positions('qp-g', [a, b])).toEqual([2, 2]);
    await drift('2', -200);
    expect(await positions('qp-g', [a, b])).toEqual([1, 1]);
  });
});

describe('a list of jobs', () => {
  it('has the position of each waiting job, and the reason why it waits, as in /status', async () => {
    await emulated.deploy('qp-m');
    const ids = await submitApart('qp-m', [{}, { lowPriority: true }, {}, {}]);
    emulated.clock.advance(2 * HOUR);
    ids.push(...(await submitApart('qp-m', [{}, { lowPriority: true }])));
    const running = await takeJob(ports, 'qp-m', ids[0] ?? '');
    await follow();
    const listed = (await listOf('qp-m')).toReversed();
    expect(listed.map(({ queuePosition }) => queuePosition)).toEqual([undefined, 4, 1, 2, 3, 5]);
    const names = ['id', 'queuePosition', 'waitReason', 'waitDetail'] as const;
    const placeIn = (record: Listed) => names.map((name) => record[name]);
    expect(listed.map(placeIn)).toEqual(await Promise.all(ids.map(async (id) => placeIn(await recordOf('qp-m', id)))));
    const [first, second] = listed;
    expect([first?.id, first?.waitReason, second?.waitReason]).toEqual([running.id, undefined, 'LOW_PRIORITY']);
  });

  it('reads the leases once for a page, and the arrivals once for each hour and priority', async () => {
    await emulated.deploy('qp-n');
    for (let hour = 0; hour < 2; hour += 1) {
      await submitApart(
        'qp-n',
        Array.from({ length: 10 }, (_, n) => ({ lowPriority: n % 2 === 0 })),
      );
      emulated.clock.advance(2 * HOUR);
    }
    await follow();
    const counter = createCallCounter();
    const over = createSecretPorts({ clock: emulated.clock, onClient: counter.onClient });
    const callsOf = async (query: object) =>
      (await counter.countOf(() => requests(over, { endpoint: 'qp-n', ...query }))).calls;
    const without = await callsOf({ status: 'COMPLETED' });
    emulated.clock.advance(ENDPOINT_CACHE);
    // Each hour and priority needs a query of the day and one of the hour.
    expect((await callsOf({ limit: '100' })) - without).toBeLessThanOrEqual(1 + 2 * 2 * 2);
  });
});

describe('the additional reads for a position', () => {
  const unread = () => Promise.reject(new Error('More items were read than needed.'));

  it('are none for a job that does not wait', async () => {
    await emulated.deploy('qp-h');
    const blind = portsWith(ports, {
      arrivals: { ...ports.arrivals, countBefore: unread },
      workers: { ...ports.workers, list: unread, listLately: unread },
    });
    const waiting = await submitJob(ports, 'qp-h');
    await expect(status(blind, { endpoint: 'qp-h', id: waiting })).rejects.toThrow('More items were read');
    const job = await takeJob(ports, 'qp-h', waiting);
    expect(JSON.parse(String(await status(blind, job))).status).toBe('IN_PROGRESS');
    await finish(ports, job, { output: '1' });
    expect(JSON.parse(String(await status(blind, job))).status).toBe('COMPLETED');
  });

  it('do not include the arrivals if no other job is in the queue', async () => {
    await emulated.deploy('qp-i');
    const blind = portsWith(ports, { arrivals: { ...ports.arrivals, countBefore: unread } });
    const [normal = '', low = ''] = await submitApart('qp-i', [{}, { lowPriority: true }]);
    await follow();
    const position = async (id: string) =>
      JSON.parse(String(await status(blind, { endpoint: 'qp-i', id }))).queuePosition;
    expect([await position(normal), await position(low)]).toEqual([1, 2]);
  });
});
