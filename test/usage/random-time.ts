/**
 * Random traffic on the injected clock: clients with keys submit jobs, workers start, run jobs, are killed, lose their Spot
 * instance and are replaced by releases. The clients and the machines keep logs of their own, with which the history, the
 * series and the costs are compared.
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
import { createReleases, type Releases } from './random-releases.ts';

/** Jobs that a worker runs at the same time. */
const CONCURRENCY = 3;
const MAX_WORKERS = 4;

interface Worker {
  readonly id: string;
  readonly createdAt: number;
  readonly revision: number;
  readyAt?: number;
  /** When its Spot instance ends, after the notice. */
  endsAt?: number;
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
  /** The worker of the last attempt and its revision. */
  readonly worker: string;
  readonly revision: number;
}

/** What the machines know of the end of a worker. */
interface Stopped {
  readonly worker: string;
  readonly revision: number;
  readonly at: number;
  readonly code: TaskEvent['stopCode'];
}

/** Time from the notice of EC2 to the end of a Spot instance. */
const SPOT_NOTICE = 2 * MINUTE;

/** Milliseconds of the machines by day and by what they did: `busy KEY`, `idle` or `starting`. */
export type MachineTime = Map<string, number>;

export interface Traffic {
  readonly ended: readonly Ended[];
  readonly machineTime: ReadonlyMap<string, MachineTime>;
  /** Attempts that ended because their worker was killed. */
  readonly requeued: number;
  readonly ready: number;
  readonly stopped: readonly Stopped[];
  readonly releases: Releases;
  /** Jobs that ended between the notice and the end of a Spot instance. */
  readonly endedAfterNotice: number;
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
  const stopped: Stopped[] = [];
  const releases = createReleases(ports);
  let [number, requeued, ready, endedAfterNotice] = [0, 0, 0, 0];

  const pick = <Item>(items: readonly Item[]): Item | undefined => items[random(Math.max(1, items.length))];
  const end = (endpoint: string, id: string, code: string, { id: worker, revision }: Worker) =>
    ended.push({ id, endpoint, code, at: clock.now(), payer: payerOf.get(id) ?? '', worker, revision });

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
    const { id, createdAt, revision } = worker;
    return {
      of: 'task',
      service: endpoint,
      worker: id,
      revision,
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
    const revision = releases.next(endpoint);
    const worker: Worker = { id: `${endpoint}-w${number}`, revision, createdAt: clock.now(), jobs: new Map() };
    ofEndpoint.push(worker);
    await setDesired(endpoint, ofEndpoint.length);
    await observe(ports, eventOf(endpoint, worker, { lastStatus: 'PENDING', pullStartedAt: clock.now() }));
  }

  async function becomeReady(endpoint: string, worker: Worker): Promise<void> {
    if (releases.of(endpoint)?.isBroken && releases.of(endpoint)?.revision === worker.revision) {
      await stop(endpoint, worker, 'EssentialContainerExited');
      return releases.failed(endpoint, worker.revision);
    }
    worker.readyAt = clock.now();
    ready += 1;
    await beat(endpoint, worker);
    await observe(ports, eventOf(endpoint, worker, { startedAt: clock.now() }));
    await releases.proven(endpoint, worker.revision);
  }

  /** EC2 announces the end of the worker's Spot instance. The worker ends what it can, and takes no more. */
  async function interrupt(endpoint: string, worker: Worker): Promise<void> {
    worker.endsAt = clock.now() + SPOT_NOTICE;
    await observe(ports, eventOf(endpoint, worker, { desiredStatus: 'STOPPED', stopCode: 'SpotInterruption' }));
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
    const taken = await take(ports, worker.id, message, { revision: worker.revision });
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
    if (worker.endsAt !== undefined) endedAfterNotice += 1;
    end(endpoint, id, how === 0 ? 'CANCELLED' : how < 3 ? 'WORKER_ERROR' : 'COMPLETED', worker);
    await beat(endpoint, worker);
  }

  /** Stops a worker. Its jobs wait again, or have failed after their last attempt. */
  async function stop(
    endpoint: string,
    worker: Worker,
    stopCode: TaskEvent['stopCode'] = 'UserInitiated',
  ): Promise<void> {
    const ofEndpoint = workers.get(endpoint) ?? [];
    ofEndpoint.splice(ofEndpoint.indexOf(worker), 1);
    await setDesired(endpoint, ofEndpoint.length);
    const event = { lastStatus: 'STOPPED', desiredStatus: 'STOPPED', stopCode } as const;
    stopped.push({ worker: worker.id, revision: worker.revision, at: clock.now(), code: stopCode });
    await observe(ports, eventOf(endpoint, worker, { ...event, stoppedAt: clock.now() }));
    for (const [id, { attempt, attemptLimit }] of worker.jobs) {
      if (attempt >= attemptLimit) end(endpoint, id, 'WORKER_LOST', worker);
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
    const isReplaced = releases.replaces(endpoint, worker.revision);
    if (isReplaced && worker.jobs.size === 0) return stop(endpoint, worker, 'ServiceSchedulerInitiated');
    if (worker.readyAt === undefined) return choice < 80 ? becomeReady(endpoint, worker) : undefined;
    if (choice < 34) return start(endpoint);
    if (choice < 36) return stop(endpoint, worker);
    if (choice < 38) return worker.endsAt === undefined ? interrupt(endpoint, worker) : undefined;
    if (choice === 38) return releases.of(endpoint) ? undefined : releases.begin(endpoint, random(2) === 0);
    const takes = !isReplaced && worker.endsAt === undefined && worker.jobs.size < CONCURRENCY;
    if (choice < 68 && takes) return takeOne(endpoint, worker);
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

  async function endSpotInstances(): Promise<void> {
    for (const [endpoint, ofEndpoint] of workers)
      for (const worker of [...ofEndpoint])
        if (worker.endsAt !== undefined && worker.endsAt <= clock.now())
          await stop(endpoint, worker, 'SpotInterruption');
  }

  const last = clock.now() + minutes * MINUTE;
  let nextSweep = clock.now() + MINUTE;
  while (clock.now() < last) {
    const ends = [...workers.values()].flat().flatMap(({ endsAt }) => endsAt ?? []);
    const next = Math.min(nextSweep, clock.now() + 1 + random(pause), ...ends);
    passTo(next);
    await endSpotInstances();
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
  return { ended, machineTime, requeued, ready, stopped, releases, endedAfterNotice };
}
