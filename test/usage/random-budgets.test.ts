/**
 * Random traffic with budgets on the injected clock. The machines and the clients keep logs of their own: what is spent
 * after a budget is reached must never exceed the bound that docs/guides/budgets.md states.
 */
import { expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { dayOf, isBudgetSpent, resetAfter } from '../../core/endpoints/spending.ts';
import { observe } from '../../core/fleet/observe.ts';
import { dollarsOf } from '../../core/history/cost.ts';
import type { RunningJob } from '../../core/jobs/job.ts';
import { createKey, idOf } from '../../core/keys/client-keys.ts';
import { record } from '../../core/ledger/record.ts';
import { DAY, ENDPOINT_CACHE, LEASE, MINUTE, SECOND } from '../../core/limits.ts';
import { BudgetSpent } from '../../core/submission/budget.ts';
import { run } from '../../core/submission/submit.ts';
import { sweep } from '../../core/sweeper/sweep.ts';
import { checkBudgets } from '../../core/usage/budgets.ts';
import { sumAll } from '../../core/usage/sweep.ts';
import { finish } from '../../core/workers/report.ts';
import { take } from '../../core/workers/take.ts';
import { taskEvent } from '../fleet/events.ts';
import { noReleases } from '../releases/no-releases.ts';
import { numbersOf, PROPERTY_SEED, seedOf } from '../runner/seed.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { clock } = emulated;
const ports = portsWith(emulated.ports, { ...noReleases(), services: recordServices() });
const now = () => clock.now();

const ENDPOINT = 'random-budget';
const workerPrice = { hour: 3.6, date: '2026-08-21', region: 'us-east-1' };
const [MAX_WORKERS, CONCURRENCY] = [4, 2];
const [EXECUTION_TIMEOUT, IDLE_TIMEOUT] = [2 * MINUTE, 30 * SECOND];
/** Time of the bound beside the run time of a job and the idle timeout. */
const MARGIN = 3 * MINUTE;
const MINUTES = 45;
const dollars = (milliseconds: number) => dollarsOf(milliseconds, workerPrice);

interface Worker {
  readonly id: string;
  readyAt?: number;
  idleSince: number;
  readonly jobs: Map<string, { readonly job: RunningJob; readonly until: number }>;
}

const seed = seedOf(PROPERTY_SEED);

it(
  `random traffic never spends more than the bound after a budget is reached (seed ${seed})`,
  async () => {
    const random = numbersOf(seed);
    const budget = 0.2 + random(60) / 100;
    const keyBudget = 0.1 + random(40) / 100;
    // The traffic ends on the next day.
    clock.advance(resetAfter(now()) - now() - 30 * MINUTE);
    await emulated.deploy(ENDPOINT, {
      ...{ workerPrice, maxWorkers: MAX_WORKERS, minWorkers: random(2), concurrency: CONCURRENCY },
      ...{ maxDollarsPerDay: budget, idleTimeout: IDLE_TIMEOUT, executionTimeout: EXECUTION_TIMEOUT },
    });
    const grant = { name: 'random', owner: 'ada', endpoints: ['*'], operations: ['*'], scopes: [] };
    const bytes = crypto.getRandomValues(new Uint8Array(64));
    const { key } = await createKey(ports, { ...grant, maxDollarsPerDay: keyBudget }, bytes);
    const keyId = idOf(key);

    const workers: Worker[] = [];
    const waiting: { readonly id: string; readonly isOfKey: boolean }[] = [];
    const ofKey = new Set<string>();
    const spent = new Map<string, number>();
    /** When a budget was reached on a day, and the dollars that the key's accepted jobs could still cost then. */
    const reached = new Map<string, { readonly at: number; open: number }>();
    const seen = { starts: 0, refused: 0, lateStarts: 0, lateTakes: 0, takesNextDay: 0 };
    let number = 0;

    const read = async () => {
      const endpoint = await ports.endpoints.readNow(ENDPOINT);
      if (!endpoint) throw new Error('The endpoint does not exist.');
      return endpoint;
    };
    const beat = ({ id, jobs, readyAt, idleSince }: Worker) =>
      ports.workers.beat({
        ...{ endpoint: ENDPOINT, worker: id, jobs: [...jobs.keys()], readySince: readyAt ?? null },
        ...{ endsAt: now() + LEASE, removeAfter: 1, ...(jobs.size === 0 && { idleSince }) },
      });
    const openOfKey = () =>
      waiting.filter(({ isOfKey }) => isOfKey).length +
      workers.flatMap(({ jobs }) => [...jobs.keys()]).filter((id) => ofKey.has(id)).length;

    /** Adds the time to the logs of the machines, and notes when a budget is reached. A step never passes midnight. */
    function pass(milliseconds: number): void {
      const day = dayOf(now());
      const add = (name: string, time: number) =>
        spent.set(`${name} ${day}`, (spent.get(`${name} ${day}`) ?? 0) + dollars(time));
      for (const { jobs } of workers) {
        add('endpoint', milliseconds);
        for (const id of jobs.keys()) if (ofKey.has(id)) add('key', milliseconds / jobs.size);
      }
      clock.advance(milliseconds);
      for (const [name, max] of [
        ['endpoint', budget],
        ['key', keyBudget],
      ] as const)
        if ((spent.get(`${name} ${day}`) ?? 0) >= max && !reached.has(`${name} ${day}`))
          reached.set(`${name} ${day}`, { at: now(), open: openOfKey() });
    }
    const reachedToday = (name: string) => reached.get(`${name} ${dayOf(now())}`);

    async function submit(): Promise<void> {
      const isOfKey = random(3) > 0;
      try {
        const body = Buffer.from(JSON.stringify({ input: {}, policy: { ttl: DAY } }));
        const { id } = await run(ports, { endpoint: ENDPOINT, owner: 'ada', ...(isOfKey && { keyId }), body });
        waiting.push({ id, isOfKey });
        if (!isOfKey) return;
        ofKey.add(id);
        const late = reachedToday('key');
        if (late) late.open += 1;
        // The sum is at most a minute old.
        if (late) expect(now() - late.at).toBeLessThanOrEqual(MINUTE + ENDPOINT_CACHE);
      } catch (error) {
        if (!(error instanceof BudgetSpent)) throw error;
        seen.refused += 1;
        expect(isOfKey).toBe(true);
        // Sums are rounded to the millionth of a dollar.
        expect(spent.get(`key ${dayOf(now())}`) ?? 0).toBeGreaterThanOrEqual(keyBudget - 1e-5);
      }
    }

    async function start(): Promise<void> {
      const { desiredWorkers = 0 } = await read();
      if (workers.length >= desiredWorkers) return;
      const late = reachedToday('endpoint');
      if (late && now() - late.at > MINUTE + ENDPOINT_CACHE) seen.lateStarts += 1;
      number += 1;
      const worker: Worker = { id: `w${number}`, idleSince: now(), jobs: new Map() };
      workers.push(worker);
      seen.starts += 1;
      const event = { service: ENDPOINT, worker: worker.id, at: now(), createdAt: now(), pullStartedAt: now() };
      const pending = {
        lastStatus: 'PENDING',
        desiredStatus: 'RUNNING',
        stopCode: undefined,
        stoppedReason: undefined,
      };
      await observe(ports, taskEvent({ ...event, ...pending, startedAt: undefined }));
      if (late) await beat(worker);
    }

    async function takeOne(worker: Worker): Promise<void> {
      // The agent takes no job of an endpoint that it has read as spent.
      if (worker.jobs.size >= CONCURRENCY || isBudgetSpent((await ports.endpoints.read(ENDPOINT)) ?? {}, now())) return;
      const next = waiting.shift();
      if (!next) return;
      const late = reachedToday('endpoint');
      if (late && now() - late.at > MINUTE + ENDPOINT_CACHE) seen.lateTakes += 1;
      if (reached.has(`endpoint ${dayOf(now()) - DAY}`)) seen.takesNextDay += 1;
      const message = { endpoint: ENDPOINT, job: next.id, attempt: 0, generation: 0 };
      const taken = await take(ports, worker.id, message);
      if (taken.outcome !== 'taken') throw new Error(`Job ${next.id} is ${taken.outcome}.`);
      worker.jobs.set(next.id, { job: taken.job, until: now() + 1 + random(EXECUTION_TIMEOUT - 20 * SECOND) });
      await beat(worker);
    }

    async function endJobs(): Promise<void> {
      for (const worker of workers)
        for (const [id, { job, until }] of worker.jobs) {
          if (now() < until) continue;
          await finish(ports, job, { output: '1' });
          worker.jobs.delete(id);
          worker.idleSince = now();
          await beat(worker);
        }
    }

    /** Stops workers as ECS does: those that the service no longer wants, without those that are protected. */
    async function stopUnwanted(): Promise<void> {
      const { desiredWorkers = 0 } = await read();
      const isProtected = ({ jobs, idleSince, readyAt }: Worker) =>
        readyAt !== undefined && (jobs.size > 0 || now() < idleSince + IDLE_TIMEOUT);
      for (const worker of workers
        .filter((one) => !isProtected(one))
        .slice(0, Math.max(0, workers.length - desiredWorkers))) {
        workers.splice(workers.indexOf(worker), 1);
        await observe(ports, taskEvent({ service: ENDPOINT, worker: worker.id, at: now(), stoppedAt: now() }));
        await ports.workers.remove(ENDPOINT, worker.id);
      }
    }

    async function act(): Promise<void> {
      await endJobs();
      const worker = workers[random(Math.max(1, workers.length))];
      const choice = random(10);
      if (choice < 4) return submit();
      if (choice < 6 || worker === undefined) return start();
      if (worker.readyAt !== undefined) return takeOne(worker);
      worker.readyAt = now();
      worker.idleSince = now();
      await beat(worker);
    }

    async function sweepAll(): Promise<void> {
      await endJobs();
      for (const worker of workers) if (worker.readyAt !== undefined) await beat(worker);
      await record(ports, await emulated.changes());
      const { endpoints, failed } = await sweep(ports);
      expect(failed).toEqual({});
      for (const errors of [await sumAll(ports, endpoints), await checkBudgets(ports, endpoints)])
        expect(errors).toEqual(new Map());
      await stopUnwanted();
    }

    const last = now() + MINUTES * MINUTE;
    let nextSweep = now() + MINUTE;
    while (now() < last) {
      pass(Math.min(nextSweep - now(), resetAfter(now()) - now(), 1 + random(10 * SECOND)));
      if (now() === nextSweep) {
        await sweepAll();
        nextSweep += MINUTE;
      } else await act();
    }

    const days = [dayOf(last) - DAY, dayOf(last)];
    const bound = MAX_WORKERS * dollars(EXECUTION_TIMEOUT + IDLE_TIMEOUT + MARGIN);
    for (const day of days) {
      expect(spent.get(`endpoint ${day}`) ?? 0).toBeLessThanOrEqual(budget + bound);
      const { open = 0 } = reached.get(`key ${day}`) ?? {};
      expect(spent.get(`key ${day}`) ?? 0).toBeLessThanOrEqual(keyBudget + open * dollars(EXECUTION_TIMEOUT) + 1e-6);
    }
    // Otherwise this test shows nothing.
    expect(reached.size).toBeGreaterThan(0);
    expect(seen).toMatchObject({ lateStarts: 0, lateTakes: 0 });
  },
  10 * MINUTE,
);
