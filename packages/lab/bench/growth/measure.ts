/** Measures all operations with queues of growing length, and with a growing number of endpoints. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { portsWith } from '../../../../aws/ports.ts';
import { createSecretPorts } from '../../../../aws/secret-ports.ts';
import type { EndpointConfig } from '../../../../core/endpoints/endpoint.ts';
import { DAY, KEY_CACHE, LEASE, queueLimits, SECOND } from '../../../../core/limits.ts';
import type { SharedEmulators } from '../../../../test/runner/emulators.ts';
import { type CallCounter, type Count, countNames, createCallCounter } from '../../../../test/support/call-counter.ts';
import { openDirectStore } from '../../../../test/support/direct-store.ts';
import {
  createEmulatedDeployment,
  MovedClock,
  type UnstartedDeployment,
} from '../../../../test/support/emulated-deployment.ts';
import {
  evenJobIds,
  fillQueue,
  type StoreJobs,
  sequenceOf,
  withStateRestored,
} from '../../../../test/support/long-queue.ts';
import { recordServices } from '../../../../test/support/recorded-services.ts';
import { startEmulators } from '../../../emulator/emulators/emulators.ts';
import { median } from '../bounds.ts';
import { report } from '../command.ts';
import { createKey, type Operation, operations, type Subject } from './operations.ts';

/** What grows: the number of waiting jobs of the only endpoint, or the number of endpoints. */
export type Dimension = 'jobs' | 'endpoints';

export interface Measured extends Count {
  readonly operation: string;
  readonly dimension: Dimension;
  readonly size: number;
  /** Milliseconds of the operation over the emulators. */
  readonly ms: number;
}

/** Number of runs of which the median is taken. An earlier run, which opens connections, is not counted. */
const RUNS = 5;
/** Number of waiting jobs of each endpoint while the number of endpoints grows, if the caller sets no other. */
export const JOBS_EACH = 100;
const WORKERS = 3;
/** Number of jobs that operations can add to a queue before it is full. */
const ROOM = 100;
/** Longer than any cache of a process, so that each operation pays for all of its reads. */
const PAUSE = KEY_CACHE + SECOND;
const NAME = 'growth';

/** Starts a deployment without endpoints. Earlier deployments over these emulators lose their data. */
async function startEmpty(emulators: SharedEmulators): Promise<UnstartedDeployment> {
  const emulated = createEmulatedDeployment(new MovedClock());
  await emulated.start(emulators);
  return emulated;
}

/** Stores the leases of workers that run jobs. */
async function addWorkers({ ports, clock }: UnstartedDeployment, endpoint: string): Promise<void> {
  for (let n = 0; n < WORKERS; n += 1) {
    const endsAt = clock.now() + DAY;
    const lease = { endpoint, worker: `worker-${n}`, jobs: [`job-${n}`], readySince: clock.now() - LEASE };
    await ports.workers.beat({ ...lease, endsAt, removeAfter: Math.ceil((endsAt + DAY) / SECOND) });
  }
}

/** Deploys an endpoint whose queue is not full with these jobs, and which has all of its workers. */
const deploy = (emulated: UnstartedDeployment, id: string, jobs: number) =>
  emulated.deploy(id, { maxWorkers: Math.max(WORKERS, Math.ceil((jobs + ROOM) / queueLimits.perWorker)) });

interface Prepared {
  readonly emulated: UnstartedDeployment;
  readonly subject: Subject;
  readonly counter: CallCounter;
}

/** @param ids of the waiting jobs of the endpoint, oldest first */
async function prepare(emulated: UnstartedDeployment, endpoint: EndpointConfig, ids: readonly string[]) {
  const counter = createCallCounter();
  const { deliveryStarts, expiryTimers } = emulated.ports;
  const adapters = createSecretPorts({ clock: emulated.clock, onClient: counter.onClient });
  const services = recordServices();
  const ports = portsWith(adapters, { deliveryStarts, expiryTimers, services, newJobId: evenJobIds() });
  let next = Math.floor(ids.length / 2);
  let sequence = ids.length;
  const subject: Subject = {
    ports,
    unmeasured: portsWith(emulated.ports, { services }),
    endpoint,
    nextJob() {
      next += 1;
      return ids[next] ?? '';
    },
    nextSequence() {
      sequence += 1;
      return sequenceOf(sequence);
    },
    secret: await createKey(emulated.ports),
  };
  await addWorkers(emulated, endpoint.id);
  return { emulated, subject, counter };
}

async function measureOne({ emulated, subject, counter }: Prepared, operation: Operation) {
  const runs: (Count & { readonly ms: number })[] = [];
  for (let n = 0; n <= RUNS; n += 1) {
    const work = await operation.prepare(subject);
    emulated.clock.advance(PAUSE);
    const once = async () => {
      const begin = performance.now();
      const count = await counter.countOf(work);
      runs.push({ ...count, ms: performance.now() - begin });
    };
    await (operation.purges ? withStateRestored(subject.endpoint.id, once) : once());
  }
  const counted = runs.slice(1);
  const middle = (name: keyof Count | 'ms') => median(counted.map((run) => run[name]));
  const counts = Object.fromEntries(countNames.map((name) => [name, middle(name)])) as Record<keyof Count, number>;
  return { ...counts, ms: Math.round(middle('ms') * 100) / 100 };
}

async function measureAll(prepared: Prepared, dimension: Dimension, size: number): Promise<Measured[]> {
  const rows: Measured[] = [];
  for (const operation of operations)
    rows.push({ operation: operation.name, dimension, size, ...(await measureOne(prepared, operation)) });
  return rows;
}

/** Checks the preparation: `/health` must count the jobs. */
async function assertQueued({ ports, clock }: UnstartedDeployment, endpoint: string, jobs: number): Promise<void> {
  clock.advance(PAUSE);
  const waiting = (await ports.endpoints.readNow(endpoint))?.counts.inQueue;
  if (waiting !== jobs) throw new Error(`${waiting} jobs of ${endpoint} wait instead of ${jobs}.`);
}

async function measureJobs({ emulators, store }: Stage, jobs: number, messages: number): Promise<Measured[]> {
  const emulated = await startEmpty(emulators);
  try {
    const endpoint = await deploy(emulated, NAME, jobs);
    const onQueued = (count: number) => {
      if (count % 100_000 === 0) report(`${count} of ${jobs} jobs queued`);
    };
    const ids = await fillQueue(emulated, endpoint, jobs, { ...(store && { store }), messages, onQueued });
    await assertQueued(emulated, NAME, jobs);
    return await measureAll(await prepare(emulated, endpoint, ids), 'jobs', jobs);
  } finally {
    await emulated.stop();
  }
}

async function measureEndpoints({ emulators, store }: Stage, size: number, jobs = JOBS_EACH): Promise<Measured[]> {
  const emulated = await startEmpty(emulators);
  try {
    const endpoint = await deploy(emulated, NAME, jobs);
    const ids = await fillQueue(emulated, endpoint, jobs, { ...(store && { store }) });
    for (let n = 1; n < size; n += 1) {
      const other = await deploy(emulated, `other-${n}`, jobs);
      await fillQueue(emulated, other, jobs, { ...(store && { store }), messages: 0 });
      await addWorkers(emulated, other.id);
    }
    await assertQueued(emulated, NAME, jobs);
    return await measureAll(await prepare(emulated, endpoint, ids), 'endpoints', size);
  } finally {
    await emulated.stop();
  }
}

export interface Sizes {
  readonly jobs: readonly number[];
  readonly endpoints: readonly number[];
  /** Maximum number of messages in the queue. */
  readonly messages: number;
  /**
   * Number of waiting jobs of each of many endpoints.
   * @default - JOBS_EACH
   */
  readonly jobsEach?: number;
}

/** Emulators that nothing else uses, with a faster way to store jobs than over their interface. */
export interface Stage {
  readonly emulators: SharedEmulators;
  readonly store?: StoreJobs;
}

/** Measures all sizes, one after the other. */
export async function measureOver(stage: Stage, sizes: Sizes): Promise<Measured[]> {
  const rows: Measured[] = [];
  for (const jobs of sizes.jobs) {
    report(`${jobs} jobs in one endpoint ...`);
    rows.push(...(await measureJobs(stage, jobs, Math.min(jobs, sizes.messages))));
  }
  for (const endpoints of sizes.endpoints) {
    report(`${endpoints} endpoints ...`);
    rows.push(...(await measureEndpoints(stage, endpoints, sizes.jobsEach)));
  }
  return rows;
}

/** Measures all sizes over emulators of its own, whose data is removed afterwards. */
export async function measureGrowth(sizes: Sizes): Promise<Measured[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-growth-'));
  const emulators = await startEmulators(folder);
  const { store, close } = openDirectStore(folder);
  try {
    return await measureOver({ emulators, store }, sizes);
  } finally {
    close();
    await emulators.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
