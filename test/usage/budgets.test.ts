/** Tests budgets of endpoints and API keys over the emulators. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { dayOf, resetAfter } from '../../core/endpoints/spending.ts';
import { observe } from '../../core/fleet/observe.ts';
import { scale } from '../../core/fleet/scale.ts';
import { positionAt } from '../../core/history/store.ts';
import type { RunningJob } from '../../core/jobs/job.ts';
import { changeBudget, createKey, idOf } from '../../core/keys/client-keys.ts';
import { record } from '../../core/ledger/record.ts';
import { DAY, ENDPOINT_CACHE, HOUR, LEASE, MINUTE, SECOND } from '../../core/limits.ts';
import { runSync } from '../../core/status/runsync.ts';
import { status } from '../../core/status/status.ts';
import { BudgetSpent } from '../../core/submission/budget.ts';
import { retry } from '../../core/submission/retry.ts';
import { run } from '../../core/submission/submit.ts';
import { sweep } from '../../core/sweeper/sweep.ts';
import { checkBudgets } from '../../core/usage/budgets.ts';
import { QUIET_EVERY } from '../../core/usage/limits.ts';
import { sumAll } from '../../core/usage/sweep.ts';
import { finish } from '../../core/workers/report.ts';
import { taskEvent } from '../fleet/events.ts';
import { submitJob, takeJob } from '../jobs/scripted-job.ts';
import { noReleases } from '../releases/no-releases.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const ports = portsWith(emulated.ports, { ...noReleases(), services: recordServices() });
const { clock } = emulated;
/** A tenth of a cent for each second. */
const workerPrice = { hour: 3.6, date: '2026-08-21', region: 'us-east-1' };

/** When the test began. */
let begun = 0;

const now = () => clock.now();
const pass = (milliseconds: number) => clock.advance(milliseconds);
const body = Buffer.from('{"input":{}}');

/** Does what the function of the sweeper does each minute. */
async function sweepAll(): Promise<void> {
  await record(ports, await emulated.changes());
  const { endpoints, failed } = await sweep(ports);
  expect(failed).toEqual({});
  for (const errors of [await sumAll(ports, endpoints), await checkBudgets(ports, endpoints)])
    expect(errors).toEqual(new Map());
  pass(ENDPOINT_CACHE);
}

/** Lets the time pass, with a sweep each minute. The lease of the worker is renewed. */
async function minutes(count: number, lease?: { endpoint: string; jobs: string[] }): Promise<void> {
  for (let minute = 0; minute < count; minute += 1) {
    pass(MINUTE - ENDPOINT_CACHE);
    if (lease) await beat(lease.endpoint, lease.jobs);
    await sweepAll();
  }
}

const beat = (endpoint: string, jobs: string[]) =>
  ports.workers.beat({
    ...{ endpoint, worker: `${endpoint}-w`, jobs, readySince: begun, endsAt: now() + LEASE },
    ...{ removeAfter: 1, ...(jobs.length === 0 && { idleSince: now() }) },
  });

/** Deploys an endpoint with a worker that lives since now. */
async function withWorker(endpoint: string, config: object): Promise<void> {
  await emulated.deploy(endpoint, { workerPrice, maxWorkers: 5, ...config });
  await ports.endpoints.setDesired(endpoint, undefined, 1);
  await observe(ports, taskEvent({ service: endpoint, worker: `${endpoint}-w`, ...born() }));
  await beat(endpoint, []);
}
const born = () => ({
  ...{ at: now(), createdAt: now(), pullStartedAt: now(), startedAt: now() },
  ...{ lastStatus: 'RUNNING', desiredStatus: 'RUNNING', stopCode: undefined, stoppedReason: undefined },
});

async function keyWith(maxDollarsPerDay: number | undefined, endpoints = ['*']) {
  const grant = { name: 'research', owner: 'ada', endpoints, operations: ['*'], scopes: [], maxDollarsPerDay };
  const random = crypto.getRandomValues(new Uint8Array(64));
  const { key } = await createKey(ports, grant, random);
  return idOf(key);
}

const read = async (endpoint: string) => {
  const found = await ports.endpoints.readNow(endpoint);
  if (!found) throw new Error('The endpoint does not exist.');
  return found;
};

async function budgetEvents(endpoint: string) {
  const range = { endpoint, after: positionAt(0), before: positionAt(now() + 1), isOldestFirst: true, max: 100 };
  const { rows } = await ports.eventHistory.read(range);
  return rows.filter(({ kind }) => kind === 'BUDGET').map(({ from, to, key }) => [from, to, key]);
}

const submit = (endpoint: string, keyId: string) => run(ports, { endpoint, owner: 'ada', keyId, body });

beforeEach(() => {
  // Each test begins at noon of another day.
  pass(DAY + DAY / 2 - (now() % DAY));
  begun = now();
});

describe('the budget of an endpoint', () => {
  it('counts the time until now, warns at 80 %, and starts no worker after it is spent', async () => {
    await withWorker('bu-own', { maxDollarsPerDay: 0.3 });
    pass(SECOND);
    await minutes(3, { endpoint: 'bu-own', jobs: [] });
    // Three minutes at six cents, of which the stored sums have the first.
    expect((await read('bu-own')).spending?.dollars).toBeCloseTo(0.18, 2);
    expect(await budgetEvents('bu-own')).toEqual([]);
    await minutes(1, { endpoint: 'bu-own', jobs: [] });
    expect(await budgetEvents('bu-own')).toEqual([['WITHIN', 'WARNED', undefined]]);
    await minutes(1, { endpoint: 'bu-own', jobs: [] });
    expect(await budgetEvents('bu-own')).toHaveLength(2);

    for (let jobs = 0; jobs < 3; jobs += 1) await submitJob(ports, 'bu-own');
    await record(ports, await emulated.changes());
    expect((await read('bu-own')).desiredWorkers).toBe(1);
    await minutes(1, { endpoint: 'bu-own', jobs: [] });
    expect((await read('bu-own')).desiredWorkers).toBe(1);
    expect(await budgetEvents('bu-own')).toHaveLength(2);
  });

  it('lets idle workers stop after the idle timeout, also those of minWorkers, and counts only ready workers', async () => {
    await withWorker('bu-idle', { maxDollarsPerDay: 0.01, minWorkers: 2 });
    await scale(ports, 'bu-idle', 'both');
    expect((await read('bu-idle')).desiredWorkers).toBe(2);
    await minutes(2, { endpoint: 'bu-idle', jobs: [] });
    // The second worker has not started.
    expect((await read('bu-idle')).desiredWorkers).toBe(1);
    pass(2 * MINUTE);
    await ports.workers.beat({
      ...{ endpoint: 'bu-idle', worker: 'bu-idle-w', jobs: [], readySince: 1, endsAt: now() + LEASE },
      ...{ removeAfter: 1, idleSince: now() - 2 * MINUTE },
    });
    await sweepAll();
    expect((await read('bu-idle')).desiredWorkers).toBe(0);
  });

  it('lasts until the next day in UTC, or until a larger budget or none is deployed', async () => {
    await withWorker('bu-day', { maxDollarsPerDay: 0.05 });
    await minutes(2, { endpoint: 'bu-day', jobs: [] });
    await submitJob(ports, 'bu-day');
    await submitJob(ports, 'bu-day');
    await record(ports, await emulated.changes());
    expect((await read('bu-day')).desiredWorkers).toBe(1);

    const config = await read('bu-day');
    for (const maxDollarsPerDay of [100, undefined]) {
      await ports.endpoints.register({ ...config, maxDollarsPerDay });
      await sweepAll();
      expect((await read('bu-day')).desiredWorkers).toBe(2);
      await ports.endpoints.register({ ...config, maxDollarsPerDay: 0.05 });
      await beat('bu-day', []);
      await sweepAll();
      expect((await read('bu-day')).desiredWorkers).toBe(1);
    }

    pass(resetAfter(now()) - now());
    await beat('bu-day', []);
    await sweepAll();
    expect((await read('bu-day')).desiredWorkers).toBe(2);
  });

  it('is not compared without a price, and not in a deployment without a history', async () => {
    await withWorker('bu-price', { maxDollarsPerDay: 0.01, workerPrice: undefined });
    await minutes(2, { endpoint: 'bu-price', jobs: [] });
    expect((await read('bu-price')).spending?.dollars).toBe(0);
    const without = portsWith(ports, { usageSums: { ...ports.usageSums, isKept: false } });
    await withWorker('bu-off', { maxDollarsPerDay: 0.01 });
    pass(10 * MINUTE);
    await checkBudgets(without, [await read('bu-off')]);
    expect((await read('bu-off')).spending).toBeUndefined();
  });

  it('is summed every minute while the endpoint works, and not while it is quiet', async () => {
    await emulated.deploy('bu-quiet', { workerPrice, maxDollarsPerDay: 1 });
    await minutes(QUIET_EVERY / MINUTE + 2);
    let reads = 0;
    const counting = portsWith(ports, {
      openWorkers: {
        ...ports.openWorkers,
        list: (endpoint: string) => {
          if (endpoint === 'bu-quiet') reads += 1;
          return ports.openWorkers.list(endpoint);
        },
      },
    });
    for (let minute = 0; minute < 10; minute += 1) {
      pass(MINUTE);
      await checkBudgets(counting, [await read('bu-quiet')]);
    }
    expect(reads).toBe(0);
    pass(DAY);
    await checkBudgets(counting, [await read('bu-quiet')]);
    expect(reads).toBe(1);
  });

  it('keeps the last sum of an endpoint that cannot be read, and checks the others', async () => {
    await withWorker('bu-fails', { maxDollarsPerDay: 0.01 });
    await withWorker('bu-works', { maxDollarsPerDay: 0.01 });
    pass(MINUTE);
    const failing = portsWith(ports, {
      openWorkers: {
        ...ports.openWorkers,
        list: (endpoint: string) =>
          endpoint === 'bu-fails' ? Promise.reject(new Error('throttled')) : ports.openWorkers.list(endpoint),
      },
    });
    const failed = await checkBudgets(failing, [await read('bu-fails'), await read('bu-works')]);
    expect([...failed.keys()]).toEqual(['bu-fails']);
    expect((await read('bu-works')).spending?.dollars).toBeGreaterThan(0);
  });
});

describe('the budget of an API key', () => {
  it('is that of all endpoints together; then submissions get 429 with the time of the reset, and reads still work', async () => {
    const key = await keyWith(0.15);
    const other = await keyWith(undefined);
    for (const endpoint of ['bk-a', 'bk-b', 'bk-c']) await emulated.deploy(endpoint, { workerPrice });
    const jobs: RunningJob[] = [];
    for (const endpoint of ['bk-a', 'bk-b']) {
      const { id } = await submit(endpoint, key);
      jobs.push(await takeJob(ports, endpoint, id, `${endpoint}-w`));
      await ports.endpoints.setDesired(endpoint, undefined, 1);
    }
    pass(SECOND);
    const all = async (count: number) => {
      for (let minute = 0; minute < count; minute += 1) {
        pass(MINUTE - ENDPOINT_CACHE);
        for (const job of jobs) await beat(job.endpoint, [job.id]);
        await sweepAll();
      }
    };
    await all(1);
    // Six cents on each endpoint are 80 %.
    expect(await budgetEvents('bk-a')).toEqual([['WITHIN', 'WARNED', key]]);
    expect(await budgetEvents('bk-c')).toEqual([]);
    await submit('bk-c', key);
    await all(1);
    expect(await budgetEvents('bk-b')).toEqual([
      ['WITHIN', 'WARNED', key],
      ['WARNED', 'SPENT', key],
    ]);

    const resetAt = new Date(dayOf(now()) + DAY).toISOString();
    for (const endpoint of ['bk-a', 'bk-c']) {
      const refused = await submit(endpoint, key).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(BudgetSpent);
      expect(refused).toMatchObject({ status: 429, code: 'BUDGET_SPENT', message: expect.stringContaining(resetAt) });
      expect((refused as BudgetSpent).retryAfter).toBe(Math.ceil((dayOf(now()) + DAY - now()) / SECOND));
      await expect(runSync(ports, { endpoint, owner: 'ada', keyId: key, body })).rejects.toThrow(BudgetSpent);
      await submit(endpoint, other);
    }
    const [first, second] = jobs;
    if (!first || !second) throw new Error('There are no jobs.');
    expect(JSON.parse(String(await status(ports, first)))).toMatchObject({ status: 'IN_PROGRESS' });
    await finish(ports, first, { output: '1' });
    await finish(ports, second, { error: 'no seed' });
    await expect(retry(ports, second)).rejects.toThrow(BudgetSpent);
    expect(JSON.parse(String(await status(ports, first)))).toMatchObject({ status: 'COMPLETED' });

    // A larger budget, none, and the next day.
    for (const max of [10, undefined]) {
      await changeBudget(ports, key, max);
      await sweepAll();
      await submit('bk-c', key);
      await changeBudget(ports, key, 0.1);
      await sweepAll();
      await expect(submit('bk-c', key)).rejects.toThrow(BudgetSpent);
    }
    pass(resetAfter(now()) - now());
    await submit('bk-c', key);
  });

  it('refuses only on endpoints that the key may call, and is not charged for time without jobs', async () => {
    const key = await keyWith(0.05, ['bk-one']);
    await withWorker('bk-one', {});
    await minutes(3, { endpoint: 'bk-one', jobs: [] });
    await submit('bk-one', key);
    expect((await read('bk-one')).spending?.keys).toBeUndefined();
  });

  it('is read with what was spent before it was set', async () => {
    const key = await keyWith(undefined);
    await emulated.deploy('bk-late', { workerPrice });
    const { id } = await submit('bk-late', key);
    const job = await takeJob(ports, 'bk-late', id, 'bk-late-w');
    await minutes(3, { endpoint: 'bk-late', jobs: [id] });
    await finish(ports, job, { output: '1' });
    await ports.workers.remove('bk-late', 'bk-late-w');
    await minutes(HOUR / MINUTE);
    await changeBudget(ports, key, 0.1);
    await sweepAll();
    await expect(submit('bk-late', key)).rejects.toThrow(BudgetSpent);
  });
});
