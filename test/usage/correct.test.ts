/** Tests that the sums have what the ledger and the events of ECS add to the history late. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { observe } from '../../core/fleet/observe.ts';
import type { JobChange, RunningJob } from '../../core/jobs/job.ts';
import { record } from '../../core/ledger/record.ts';
import { HOUR, LEASE, MINUTE, SECOND } from '../../core/limits.ts';
import { status } from '../../core/status/status.ts';
import { costs } from '../../core/usage/costs.ts';
import { series } from '../../core/usage/series.ts';
import { sumAll } from '../../core/usage/sweep.ts';
import { totalsOf } from '../../core/usage/totals.ts';
import { requeueJobsOf } from '../../core/workers/lost.ts';
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

const lastTotals = new Map<string, Readonly<Record<string, number>>>();

/** Sums the endpoints. No total falls. */
async function sum(using = ports): Promise<void> {
  const all = await ports.endpoints.list();
  const errors = await sumAll(using, all);
  for (const [id, { counted }] of await ports.usageSums.summedOf(all.map((endpoint) => endpoint.id))) {
    const before = Object.entries(lastTotals.get(id) ?? {});
    expect(before.filter(([name, number]) => number > (counted?.totals[name] ?? 0))).toEqual([]);
    lastTotals.set(id, counted?.totals ?? {});
  }
  for (const error of errors.values()) throw error;
}

/** Returns the totals after all corrections. */
async function countersOf(endpoint: string) {
  const { totals = {}, owed = {} } = (await ports.usageSums.summed(endpoint))?.counted ?? {};
  const exact = Object.entries(totals).map(([name, number]) => [name, number - (owed[name] ?? 0)] as const);
  return totalsOf({ totals: Object.fromEntries(exact) });
}

/** Lets minutes pass in which the ledger works and the endpoints are summed. */
async function pass(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    clock.advance(MINUTE);
    await record(ports, await emulated.changes());
    await sum();
  }
}

const beat = (endpoint: string, jobs: readonly string[], readySince: number) =>
  ports.workers.beat({
    ...{ endpoint, worker: 'w1', jobs: [...jobs], readySince },
    ...{ endsAt: now() + LEASE, removeAfter: Math.ceil((now() + LEASE) / SECOND) + 60 },
  });

const place = { lastStatus: 'RUNNING', desiredStatus: 'RUNNING', stopCode: undefined, stoppedReason: undefined };

/** Starts the worker of an endpoint. */
async function deployWorker(endpoint: string): Promise<number> {
  await emulated.deploy(endpoint, { workerPrice });
  await ports.endpoints.setDesired(endpoint, undefined, 1);
  const readySince = now();
  const times = { at: now(), createdAt: now(), pullStartedAt: now(), startedAt: now() };
  await observe(ports, taskEvent({ service: endpoint, worker: 'w1', ...times, ...place }));
  return readySince;
}

/**
 * Runs a job for 40 of each 60 s on a worker, and one for some minutes. One attempt is lost, and one job waits for
 * longer than its ttl.
 * @param outage minutes in which the ledger does nothing
 * @returns the begin, and the changes that the ledger recorded after the outage
 */
async function traffic(endpoint: string, outage: { readonly from: number; readonly to: number } | undefined) {
  const since = now();
  const readySince = await deployWorker(endpoint);
  const pending: JobChange[] = [];
  let late: readonly JobChange[] = [];
  let long: RunningJob | undefined;
  for (let minute = 0; minute < 30; minute += 1) {
    const job = await startJob(ports, endpoint);
    const waiting = minute === 12 ? await submitJob(ports, endpoint, { ttl: 10 * SECOND }) : undefined;
    // It ends in the outage, before the ledger's last minutes are summed.
    if (minute === 3) long = await startJob(ports, endpoint);
    await beat(endpoint, long ? [job.id, long.id] : [job.id], readySince);
    clock.advance(40 * SECOND);
    const lease = await ports.workers.read(endpoint, 'w1');
    if (minute === 8 && lease) await requeueJobsOf(ports, lease, now());
    else await finish(ports, job, minute % 5 === 0 ? { error: `no seed ${minute}` } : { output: '1' });
    if (minute === 6 && long) {
      await finish(ports, long, { output: '1' });
      long = undefined;
    }
    await beat(endpoint, long ? [long.id] : [], readySince);
    if (waiting !== undefined) await status(ports, { endpoint, id: waiting });
    clock.advance(20 * SECOND);
    pending.push(...(await emulated.changes()));
    if (!outage || minute < outage.from || minute >= outage.to) {
      if (minute === outage?.to) late = [...pending];
      await record(ports, pending.splice(0));
    }
    await sum();
  }
  await observe(ports, taskEvent({ service: endpoint, worker: 'w1', at: now(), stoppedAt: now() }));
  await pass(40);
  return { since, late };
}

/** Names of what the sweeper samples from the counts, which wait for the ledger. */
const sampled = ['waiting', 'maxWaiting', 'oldestWaiting', 'running', 'workers'] as const;

const withoutSamples = (sums: object = {}) =>
  Object.fromEntries(Object.entries(sums).filter(([name]) => !sampled.some((other) => other === name)));

/** Returns what the series and the costs have, with times from the begin. */
async function sumsOf(endpoint: string, since: number) {
  const steps = ['minute', 'hour', 'day'] as const;
  const [minutes, hours, days] = await Promise.all(
    steps.map((step) => series(ports, { endpoint, since: iso(since), step })),
  );
  // Afterwards, the endpoint only has samples.
  const points = minutes?.points.filter(({ workerTime: { busy, idle, starting } }) => busy + idle + starting > 0);
  const { costs: byKey } = await costs(ports, { permitted: [endpoint], since: iso(since), by: 'key' });
  return {
    points: points?.map(({ from, ...point }) => ({
      minute: (Date.parse(from) - since) / MINUTE,
      ...withoutSamples(point),
    })),
    totals: [minutes, hours, days].map((one) => withoutSamples(one?.total)),
    byKey,
  };
}

beforeEach(() => {
  // Each test begins at a whole hour.
  clock.advance(2 * HOUR - (now() % HOUR));
});

describe('the sums after an outage of the ledger of 20 minutes', () => {
  const outage = { from: 5, to: 25 };

  it('are those without it, by minute, hour and day, and by key', async () => {
    const { since: usual } = await traffic('uc-usual', undefined);
    const expected = await sumsOf('uc-usual', usual);
    expect(expected.totals[0]).toMatchObject({
      ended: { COMPLETED: 24, WORKER_ERROR: 6, QUEUE_TTL_EXPIRED: 1 },
      requeued: 1,
      workerTime: { busy: 30 * 40 * SECOND + 3 * 20 * SECOND },
    });
    clock.advance(2 * HOUR - (now() % HOUR));
    const { since, late } = await traffic('uc-late', outage);
    expect(late.length).toBeGreaterThan(40);
    expect(await sumsOf('uc-late', since)).toEqual(expected);
    const counters = await countersOf('uc-late');
    expect(counters).toEqual({ ...(await countersOf('uc-usual')), dollars: expect.anything() });
    expect(counters).toMatchObject({ requeued: 1, ended: { COMPLETED: 24, WORKER_ERROR: 6, QUEUE_TTL_EXPIRED: 1 } });
    // The stream repeats the batch.
    await record(ports, late);
    await pass(5);
    expect(await sumsOf('uc-late', since)).toEqual(expected);
  });
});

describe('a late end', () => {
  /** Runs a job, and returns its changes after its minute has been summed. */
  async function lateEnd(endpoint: string): Promise<JobChange[]> {
    await emulated.deploy(endpoint);
    await pass(5);
    const job = await startJob(ports, endpoint);
    await finish(ports, job, { output: '1' });
    const changes = await emulated.changes();
    clock.advance(10 * MINUTE);
    await sum();
    await sum();
    return changes;
  }

  const ended = async (endpoint: string, since: number) =>
    (await series(ports, { endpoint, since: iso(since) })).total.ended;

  it('is summed once if a sum crashes while it repeats the minutes', async () => {
    const since = now();
    const changes = await lateEnd('uc-crash');
    expect(await ended('uc-crash', since)).toEqual({});
    await record(ports, changes);
    const crash = () => Promise.reject(new Error('The function was stopped.'));
    await expect(sum(portsWith(ports, { usageSums: { ...ports.usageSums, saveSummed: crash } }))).rejects.toThrow(
      'stopped',
    );
    await pass(2);
    expect(await ended('uc-crash', since)).toEqual({ COMPLETED: 1 });
    await pass(5);
    expect(await ended('uc-crash', since)).toEqual({ COMPLETED: 1 });
    expect((await countersOf('uc-crash')).ended).toEqual({ COMPLETED: 1 });
  });

  it('is summed by the next sum if it is added while a sum runs', async () => {
    const since = now();
    const changes = await lateEnd('uc-race');
    const { usageSums } = ports;
    const slow: typeof usageSums = {
      ...usageSums,
      async saveSummed(endpoint, before, to) {
        if (endpoint === 'uc-race') await record(ports, changes.splice(0));
        return usageSums.saveSummed(endpoint, before, to);
      },
    };
    clock.advance(HOUR);
    await sum(portsWith(ports, { usageSums: slow }));
    expect(changes).toEqual([]);
    await pass(5);
    expect(await ended('uc-race', since)).toEqual({ COMPLETED: 1 });
    expect((await countersOf('uc-race')).ended).toEqual({ COMPLETED: 1 });
  });
});

it('ends the time of a worker at its stop, although the event of the stop arrives late', async () => {
  const since = now();
  await deployWorker('uc-stop');
  await pass(3);
  const stoppedAt = now();
  await pass(20);
  const timeOf = async () => (await series(ports, { endpoint: 'uc-stop', since: iso(since) })).total.workerTime;
  expect((await timeOf()).starting).toBeGreaterThan(15 * MINUTE);
  await observe(ports, taskEvent({ service: 'uc-stop', worker: 'w1', at: now(), stoppedAt, startedAt: since }));
  await pass(5);
  expect((await timeOf()).starting).toBe(3 * MINUTE);
  expect((await countersOf('uc-stop')).time.starting).toBe(3 * MINUTE);
});
