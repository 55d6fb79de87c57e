/**
 * Random traffic on the injected clock: clients with keys submit jobs, workers start, run jobs, are killed and stop. The
 * clients and the machines keep logs of their own, with which the history, the series and the costs are compared.
 */
import { portsWith } from '../../aws/ports.ts';
import type { TaskEvent } from '../../core/fleet/event.ts';
import { observe } from '../../core/fleet/observe.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import type { RunningJob } from '../../core/jobs/job.ts';
import { record } from '../../core/ledger/record.ts';
import { DAY, LEASE, MINUTE, SECOND } from '../../core/limits.ts';
import { run } from '../../core/submission/submit.ts';
import { sumAll } from '../../core/usage/sweep.ts';
import { finish } from '../../core/workers/report.ts';
import { take } from '../../core/workers/take.ts';
import { noReleases } from '../releases/no-releases.ts';
import { numbersOf } from '../runner/seed.ts';
import type { EmulatedDeployment } from '../support/emulated-deployment.ts';
import { recordServices } from '../support/recorded-services.ts';

/** Jobs that a worker runs at the same time. */
const CONCURRENCY = 3;
const MAX_WORKERS = 4;

interface Worker {
  readonly id: string;
  readonly createdAt: number;
  readyAt?: number;
  readonly jobs: Map<string, RunningJob>;
}

/** What a client saw of the end of a job. */
interface Ended {
  readonly id: string;
  readonly endpoint: string;
  /** Code, or `COMPLETED`. */
  readonly code: string;
  readonly at: number;
  readonly payer: string;
}

/** Milliseconds of the machines by day and by what they did: `busy KEY`, `idle` or `starting`. */
export type MachineTime = Map<string, number>;

export interface Traffic {
  readonly ended: readonly Ended[];
  readonly machineTime: ReadonlyMap<string, MachineTime>;
  /** Attempts that ended because their worker was killed. */
  readonly requeued: number;
  readonly ready: number;
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

export const payers = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'user ada'] as const;
const keysOf = { aaaaaaaaaaaa: 'aaaaaaaaaaaa', bbbbbbbbbbbb: 'bbbbbbbbbbbb', 'user ada': undefined } as const;

export interface TrafficOptions {
  readonly endpoints: readonly string[];
  readonly minutes: number;
  readonly seed: number;
  /** Longest time between two steps, in milliseconds. */
  readonly pause: number;
}

/** Runs random traffic on the endpoints for some minutes, and sums the endpoints once a minute, and then until all are summed. */
export async function runTraffic(
  emulated: EmulatedDeployment,
  { endpoints, minutes, seed, pause }: TrafficOptions,
): Promise<Traffic> {
  const ports = portsWith(emulated.ports, { ...noReleases(), services: recordServices() });
  const { clock } = emulated;
  const random = numbersOf(seed);
  const ended: Ended[] = [];
  const machineTime = new Map<string, MachineTime>(endpoints.map((endpoint) => [endpoint, new Map()]));
  const workers = new Map<string, Worker[]>(endpoints.map((endpoint) => [endpoint, []]));
  const waiting = new Map<string, { id: string; attempt: number }[]>(endpoints.map((endpoint) => [endpoint, []]));
  const payerOf = new Map<string, string>();
  let [number, requeued, ready] = [0, 0, 0];

  const pick = <Item>(items: readonly Item[]): Item | undefined => items[random(Math.max(1, items.length))];
  const end = (endpoint: string, id: string, code: string) =>
    ended.push({ id, endpoint, code, at: clock.now(), payer: payerOf.get(id) ?? '' });

  /** Adds the next milliseconds to the log of the machines. Each job of a worker has an equal share. */
  function work(milliseconds: number): void {
    const day = dayOf(clock.now());
    for (const [endpoint, ofEndpoint] of workers)
      for (const worker of ofEndpoint) {
        const log = machineTime.get(endpoint) as MachineTime;
        const add = (what: string, time: number) => log.set(`${day} ${what}`, (log.get(`${day} ${what}`) ?? 0) + time);
        if (worker.jobs.size === 0) add(worker.readyAt === undefined ? 'starting' : 'idle', milliseconds);
        for (const id of worker.jobs.keys()) add(`busy ${payerOf.get(id)}`, milliseconds / worker.jobs.size);
      }
  }

  const beat = (endpoint: string, { id, jobs, readyAt }: Worker) =>
    ports.workers.beat({
      endpoint,
      worker: id,
      jobs: [...jobs.keys()],
      readySince: readyAt ?? null,
      endsAt: clock.now() + LEASE,
      removeAfter: Math.ceil((clock.now() + LEASE) / SECOND) + 60,
    });

  function eventOf(endpoint: string, worker: Worker, differences: Partial<TaskEvent>): TaskEvent {
    const { id, createdAt } = worker;
    return {
      of: 'task',
      service: endpoint,
      worker: id,
      at: clock.now(),
      createdAt,
      lastStatus: 'RUNNING',
      desiredStatus: 'RUNNING',
      containers: [],
      ...differences,
    };
  }

  async function setDesired(endpoint: string, count: number): Promise<void> {
    await ports.endpoints.setDesired(endpoint, (await ports.endpoints.readNow(endpoint))?.desiredWorkers, count);
  }

  async function start(endpoint: string): Promise<void> {
    const ofEndpoint = workers.get(endpoint) ?? [];
    if (ofEndpoint.length >= MAX_WORKERS) return;
    number += 1;
    const worker: Worker = { id: `${endpoint}-w${number}`, createdAt: clock.now(), jobs: new Map() };
    ofEndpoint.push(worker);
    await setDesired(endpoint, ofEndpoint.length);
    await observe(ports, eventOf(endpoint, worker, { lastStatus: 'PENDING', pullStartedAt: clock.now() }));
  }

  async function becomeReady(endpoint: string, worker: Worker): Promise<void> {
    worker.readyAt = clock.now();
    ready += 1;
    await beat(endpoint, worker);
    await observe(ports, eventOf(endpoint, worker, { startedAt: clock.now() }));
  }

  async function submit(endpoint: string): Promise<void> {
    const payer = pick(payers) ?? 'user ada';
    const { id } = await run(ports, {
      endpoint,
      owner: 'ada',
      ...(keysOf[payer] && { keyId: keysOf[payer] }),
      body: Buffer.from(JSON.stringify({ input: {}, policy: { executionTimeout: DAY, ttl: DAY } })),
    });
    payerOf.set(id, payer);
    waiting.get(endpoint)?.push({ id, attempt: 0 });
  }

  async function takeOne(endpoint: string, worker: Worker): Promise<void> {
    const job = waiting.get(endpoint)?.shift();
    if (!job) return;
    const message = { endpoint, job: job.id, attempt: job.attempt, generation: 0 };
    const taken = await take(ports, worker.id, message, { revision: 1 });
    if (taken.outcome !== 'taken') throw new Error(`Job ${job.id} is ${taken.outcome}.`);
    worker.jobs.set(job.id, taken.job);
    await beat(endpoint, worker);
  }

  async function endOne(endpoint: string, worker: Worker): Promise<void> {
    const [id, job] = pick([...worker.jobs]) ?? [];
    if (id === undefined || job === undefined) return;
    const how = random(10);
    if (how === 0) await cancel(ports, { endpoint, id });
    else await finish(ports, job, how < 3 ? { error: `no seed ${random(1_000)}` } : { output: '1' });
    worker.jobs.delete(id);
    end(endpoint, id, how === 0 ? 'CANCELLED' : how < 3 ? 'WORKER_ERROR' : 'COMPLETED');
    await beat(endpoint, worker);
  }

  /** Stops a worker. Its jobs wait again, or have failed after their last attempt. */
  async function stop(endpoint: string, worker: Worker): Promise<void> {
    const ofEndpoint = workers.get(endpoint) ?? [];
    ofEndpoint.splice(ofEndpoint.indexOf(worker), 1);
    await setDesired(endpoint, ofEndpoint.length);
    const stopped = { lastStatus: 'STOPPED', desiredStatus: 'STOPPED', stopCode: 'SpotInterruption' } as const;
    await observe(ports, eventOf(endpoint, worker, { ...stopped, stoppedAt: clock.now() }));
    for (const [id, { attempt, attemptLimit }] of worker.jobs) {
      if (attempt >= attemptLimit) end(endpoint, id, 'WORKER_LOST');
      else {
        requeued += 1;
        waiting.get(endpoint)?.push({ id, attempt });
      }
    }
  }

  async function act(): Promise<void> {
    const endpoint = pick(endpoints) ?? '';
    const worker = pick(workers.get(endpoint) ?? []);
    const choice = random(100);
    if (choice < 30) return submit(endpoint);
    if (worker === undefined) return start(endpoint);
    if (worker.readyAt === undefined) return choice < 80 ? becomeReady(endpoint, worker) : undefined;
    if (choice < 34) return start(endpoint);
    if (choice < 38) return stop(endpoint, worker);
    if (choice < 68 && worker.jobs.size < CONCURRENCY) return takeOne(endpoint, worker);
    return endOne(endpoint, worker);
  }

  async function sweepAll(): Promise<void> {
    for (const [endpoint, ofEndpoint] of workers)
      for (const worker of ofEndpoint) if (worker.readyAt !== undefined) await beat(endpoint, worker);
    await record(ports, await emulated.changes());
    const failed = await sumAll(ports, await ports.endpoints.list());
    for (const error of failed.values()) throw error;
  }

  /** Lets the time pass. The times of a step belong to the day in which it begins, so a step never passes midnight. */
  function passTo(time: number): void {
    work(time - clock.now());
    clock.advance(time - clock.now());
  }

  const last = clock.now() + minutes * MINUTE;
  let nextSweep = clock.now() + MINUTE;
  while (clock.now() < last) {
    const next = Math.min(nextSweep, clock.now() + 1 + random(pause));
    passTo(next);
    if (next === nextSweep) {
      await sweepAll();
      nextSweep += MINUTE;
    } else await act();
  }
  for (const [endpoint, ofEndpoint] of workers) for (const worker of [...ofEndpoint]) await stop(endpoint, worker);
  // The last minutes are summed some minutes later.
  for (let minute = 0; minute < 8; minute += 1) {
    clock.advance(MINUTE);
    await sweepAll();
  }
  return { ended, machineTime, requeued, ready };
}
