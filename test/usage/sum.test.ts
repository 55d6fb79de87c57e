/** Tests the sums of endpoints over the emulators: late ends, quiet endpoints, requests and retention. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { observe } from '../../core/fleet/observe.ts';
import { listEndedWorkers } from '../../core/history/list-workers.ts';
import { record } from '../../core/ledger/record.ts';
import { DAY, HOUR, LEASE, MINUTE, SECOND } from '../../core/limits.ts';
import { EndpointNotFound, InvalidRequest } from '../../core/requests/errors.ts';
import { sweepDeadlines } from '../../core/sweeper/deadlines.ts';
import { costs } from '../../core/usage/costs.ts';
import { QUIET_EVERY, SUM_DELAY } from '../../core/usage/limits.ts';
import { series } from '../../core/usage/series.ts';
import { sumAll } from '../../core/usage/sweep.ts';
import { finish } from '../../core/workers/report.ts';
import { taskEvent } from '../fleet/events.ts';
import { startJob, submitJob } from '../jobs/scripted-job.ts';
import { noReleases } from '../releases/no-releases.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const ports = portsWith(emulated.ports, { ...noReleases(), services: recordServices() });
const { clock } = emulated;
const workerPrice = { hour: 3.6, date: '2026-08-21', region: 'us-east-1' };

const now = () => clock.now();
const iso = (time: number) => new Date(time).toISOString();

async function sum(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    clock.advance(MINUTE);
    await record(ports, await emulated.changes());
    expect(await sumAll(ports, await ports.endpoints.list())).toEqual(new Map());
  }
}

const totalOf = async (endpoint: string, since: number, step?: string) =>
  (await series(ports, { endpoint, since: iso(since), step })).total;

/** Event of a task of which nothing is known but its place. */
const placed = (service: string, worker: string) =>
  taskEvent({
    ...{ service, worker, at: now(), createdAt: now(), pullStartedAt: now(), startedAt: undefined },
    ...{ lastStatus: 'PENDING', desiredStatus: 'RUNNING', stopCode: undefined, stoppedReason: undefined },
  });
const stopped = (service: string, worker: string) => taskEvent({ service, worker, at: now(), stoppedAt: now() });

beforeEach(() => {
  // Each test begins at a whole hour.
  clock.advance(2 * HOUR - (now() % HOUR));
});

describe('the sums of an endpoint', () => {
  it('count an end with an earlier time when it is stored, once', async () => {
    await emulated.deploy('us-late');
    const since = now();
    await submitJob(ports, 'us-late', { ttl: 10 * SECOND });
    // The job is ended ten minutes after its ttl, when its minute has long been summed.
    await sum(10);
    await sweepDeadlines(ports, (await ports.endpoints.readNow('us-late')) as never);
    await sum(5);
    expect((await totalOf('us-late', since)).ended).toEqual({ QUEUE_TTL_EXPIRED: 1 });
    await sum(5);
    expect((await totalOf('us-late', since)).ended).toEqual({ QUEUE_TTL_EXPIRED: 1 });
  });

  it('have the worker that pulls its image, before it has a lease, and end it with its stop', async () => {
    await emulated.deploy('us-pull', { workerPrice });
    await ports.endpoints.setDesired('us-pull', undefined, 1);
    const since = now();
    await observe(ports, placed('us-pull', 'w1'));
    await sum(10);
    const { workerTime, dollars } = await totalOf('us-pull', since);
    // The last two minutes are not summed yet.
    expect(workerTime).toEqual({ busy: 0, idle: 0, starting: 8 * MINUTE });
    expect(dollars?.starting).toBeCloseTo((8 * 3.6) / 60, 9);
    await observe(ports, stopped('us-pull', 'w1'));
    await sum(15);
    expect((await totalOf('us-pull', since)).workerTime.starting).toBe(10 * MINUTE);
  });

  it('count the jobs of each worker once, and keep its last error', async () => {
    await emulated.deploy('us-worker');
    const since = now();
    for (const output of ['1', undefined, undefined, '4']) {
      const job = await startJob(ports, 'us-worker');
      clock.advance(SECOND);
      await finish(ports, job, output === undefined ? { error: `broken at ${now()}` } : { output });
    }
    const last = `broken at ${now() - SECOND}`;
    await observe(ports, stopped('us-worker', 'w1'));
    await sum(QUIET_EVERY / MINUTE);
    // As after a crash or an outage of the ledger: the sweeper sums the same minutes again.
    await ports.usageSums.repeatFrom('us-worker', since);
    await sum(QUIET_EVERY / MINUTE);
    const { workers } = await listEndedWorkers(ports, { endpoint: 'us-worker' });
    expect(workers).toEqual([
      expect.objectContaining({
        id: 'w1',
        completed: 2,
        failed: 2,
        lastError: expect.objectContaining({ error: last }),
      }),
    ]);
  });

  it('do not have a worker again whose event arrives after its stop', async () => {
    await emulated.deploy('us-order');
    const since = now();
    const place = placed('us-order', 'w1');
    clock.advance(MINUTE);
    await observe(ports, stopped('us-order', 'w1'));
    await observe(ports, place);
    await sum(15);
    expect(await ports.openWorkers.list('us-order')).toEqual([]);
    expect((await totalOf('us-order', since)).workerTime.starting).toBeLessThanOrEqual(MINUTE);
  });

  it('forget a worker without a lease an hour after its place, if no event says that it stopped', async () => {
    await emulated.deploy('us-lost');
    const since = now();
    await ports.endpoints.setDesired('us-lost', undefined, 1);
    await observe(ports, placed('us-lost', 'w1'));
    await sum(70);
    const { starting } = (await totalOf('us-lost', since)).workerTime;
    expect(starting).toBeGreaterThan(50 * MINUTE);
    expect(starting).toBeLessThanOrEqual(HOUR);
    await sum(5);
    expect((await totalOf('us-lost', since)).workerTime.starting).toBe(starting);
  });

  it('are equal by minute, hour and day, and by hour after the minutes are gone', async () => {
    await emulated.deploy('us-steps', { workerPrice });
    const since = now();
    const job = await startJob(ports, 'us-steps');
    await ports.workers.beat({
      ...{ endpoint: 'us-steps', worker: 'w1', jobs: [job.id], readySince: now() - SECOND },
      ...{ endsAt: now() + LEASE, removeAfter: 1 },
    });
    await observe(ports, { ...placed('us-steps', 'w1'), lastStatus: 'RUNNING', startedAt: now() - SECOND });
    clock.advance(90 * SECOND);
    await finish(ports, job, { output: '1' });
    await observe(ports, stopped('us-steps', 'w1'));
    await sum(70);
    const byMinute = await totalOf('us-steps', since, 'minute');
    expect(byMinute).toMatchObject({ ended: { COMPLETED: 1 }, workerTime: { busy: 90 * SECOND } });
    expect(byMinute.dollars?.busy).toBeCloseTo(0.09, 9);
    expect(await totalOf('us-steps', since, 'hour')).toEqual(byMinute);
    expect(await totalOf('us-steps', since, 'day')).toEqual(byMinute);
    clock.advance(DAY);
    await sum(QUIET_EVERY / MINUTE);
    const days = await series(ports, { endpoint: 'us-steps', since: iso(since), step: 'day' });
    expect(days.points).toHaveLength(1);
    expect(days.total).toEqual(byMinute);
  });

  it('are complete up to a few minutes ago, also if nothing happens', async () => {
    await emulated.deploy('us-idle');
    const behind = async () => now() - Date.parse((await series(ports, { endpoint: 'us-idle' })).summedTo);
    expect(await behind()).toBeGreaterThanOrEqual(SUM_DELAY);
    for (let times = 0; times < 3; times += 1) {
      await sum(7);
      expect(await behind()).toBeLessThanOrEqual(SUM_DELAY + QUIET_EVERY + MINUTE);
    }
  });

  it('of a quiet endpoint are read every five minutes only', async () => {
    await emulated.deploy('us-quiet');
    let reads = 0;
    const counting = portsWith(ports, {
      jobHistory: {
        ...ports.jobHistory,
        read: (range: Parameters<typeof ports.jobHistory.read>[0]) => {
          if (range.endpoint === 'us-quiet') reads += 1;
          return ports.jobHistory.read(range);
        },
      },
    });
    for (let minute = 0; minute < 10; minute += 1) {
      clock.advance(MINUTE);
      await sumAll(counting, await ports.endpoints.list());
    }
    expect(reads).toBe(2);
  });

  it('of one endpoint fail alone', async () => {
    await emulated.deploy('us-fails');
    await emulated.deploy('us-works');
    for (const endpoint of ['us-fails', 'us-works']) await ports.endpoints.setDesired(endpoint, undefined, 1);
    const failing = portsWith(ports, {
      openWorkers: {
        ...ports.openWorkers,
        list: (endpoint: string) =>
          endpoint === 'us-fails' ? Promise.reject(new Error('throttled')) : ports.openWorkers.list(endpoint),
      },
    });
    clock.advance(MINUTE);
    const failed = await sumAll(failing, await ports.endpoints.list());
    expect([...failed.keys()]).toEqual(['us-fails']);
  });
});

describe('requests for series and costs', () => {
  it('are refused with a value that is out of bounds', async () => {
    await emulated.deploy('us-bad');
    const ask = (request: object) => series(ports, { endpoint: 'us-bad', ...request });
    await expect(ask({ step: 'week' })).rejects.toThrow(InvalidRequest);
    await expect(ask({ since: '2026-02-31' })).rejects.toThrow(InvalidRequest);
    await expect(ask({ since: iso(now() - 2 * DAY), step: 'minute' })).rejects.toThrow(/at most 1440 points, got 2880/);
    await expect(series(ports, { endpoint: 'us-none' })).rejects.toThrow(EndpointNotFound);
    const costsOf = (request: object) => costs(ports, { permitted: ['us-bad'], ...request });
    await expect(costsOf({ by: 'owner' })).rejects.toThrow(/endpoint, day, key/);
    await expect(costsOf({ since: '2020-01-01' })).rejects.toThrow(/at most 400 days/);
    await expect(costsOf({ endpoint: 'us-late' })).rejects.toThrow(EndpointNotFound);
    expect((await costsOf({})).costs).toEqual([]);
  });
});
