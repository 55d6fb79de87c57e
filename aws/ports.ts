/**
 * Creates the ports of `core/` with their adapters for AWS. The adapters call the addresses in the configuration of the
 * SDK, which are those of the emulators on a laptop.
 */

import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '../core/clock.ts';
import type { Endpoints } from '../core/endpoints/store.ts';
import type { Deadlines } from '../core/expiry/due.ts';
import type { Starts } from '../core/fleet/start.ts';
import type { OpenWorkers } from '../core/history/open-worker.ts';
import type {
  AttemptHistory,
  DeliveryHistory,
  EventHistory,
  JobHistory,
  LateJobHistory,
  WorkerHistory,
} from '../core/history/store.ts';
import type { WorkerJobCounts } from '../core/history/worker-jobs.ts';
import { jobId, type NewJobId } from '../core/jobs/id.ts';
import type { PurgeCounts } from '../core/jobs/purge-queue.ts';
import type { JobQueues } from '../core/jobs/queues.ts';
import type { Jobs, Objects, Payloads, Secrets } from '../core/jobs/store.ts';
import type { Keys } from '../core/keys/client-keys.ts';
import type { Arrivals, Ledger } from '../core/ledger/store.ts';
import type { CallCounts } from '../core/rates/call-limit.ts';
import type { DirectLimits } from '../core/rates/direct-limit.ts';
import type { PolledJobs } from '../core/status/status.ts';
import type { OnUnreadable } from '../core/stored-items/unreadable.ts';
import type { Chunks, Drains } from '../core/streams/store.ts';
import type { IdempotencyKeys } from '../core/submission/idempotency.ts';
import type { UsageSums } from '../core/usage/store.ts';
import type { WaitSlots } from '../core/waiting-calls/slots.ts';
import type { Deliveries } from '../core/webhooks/store.ts';
import type { WorkerMarks, Workers } from '../core/workers/lease.ts';
import { createDocumentClient, createQueueClient, type OnClient } from './clients.ts';
import { createEndpoints } from './endpoints/endpoints.ts';
import { environment, environmentList, optionalEnvironment } from './environment.ts';
import { createDeadlines } from './expiry/deadlines.ts';
import {
  createAttemptHistory,
  createDeliveryHistory,
  createEventHistory,
  createJobHistory,
  createLateJobHistory,
  createWorkerHistory,
} from './history/history.ts';
import { createOpenWorkers } from './history/open-workers.ts';
import { createUsageSums } from './history/usage-sums.ts';
import { createWorkerJobCounts } from './history/worker-job-counts.ts';
import { createJobQueues } from './jobs/job-queues.ts';
import { createJobs } from './jobs/jobs.ts';
import { createPayloads } from './jobs/payloads.ts';
import { createPolledJobs } from './jobs/polled-jobs.ts';
import { createPurgeCounts } from './jobs/purge-counts.ts';
import { createKeys } from './keys/keys.ts';
import { createArrivals } from './ledger/arrivals.ts';
import { createLedger } from './ledger/ledger.ts';
import { createCallCounts } from './rates/call-counts.ts';
import { createDirectLimits } from './rates/token-buckets.ts';
import { createChunks } from './streams/chunks.ts';
import { createDrains } from './streams/drains.ts';
import { createIdempotencyKeys } from './submission/idempotency-keys.ts';
import type { SlotHolder } from './waiting-calls/slot-holders.ts';
import { createWaitSlots } from './waiting-calls/slots.ts';
import { createDeliveries } from './webhooks/deliveries.ts';
import { createWorkers } from './workers/leases.ts';
import { createWorkerMarks } from './workers/marks.ts';
import { createStarts } from './workers/starts.ts';

export interface Ports {
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly polledJobs: PolledJobs;
  readonly purgeCounts: PurgeCounts;
  readonly payloads: Payloads;
  readonly chunks: Chunks;
  readonly drains: Drains;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly objects: Objects;
  readonly secrets: Secrets;
  readonly jobQueues: JobQueues;
  readonly endpoints: Endpoints;
  readonly callCounts: CallCounts;
  readonly waitSlots: WaitSlots;
  readonly directLimits: DirectLimits;
  readonly workers: Workers;
  readonly starts: Starts;
  readonly volumeMarks: WorkerMarks;
  readonly replacementMarks: WorkerMarks;
  readonly ledger: Ledger;
  readonly arrivals: Arrivals;
  readonly deadlines: Deadlines;
  readonly jobHistory: JobHistory;
  readonly attemptHistory: AttemptHistory;
  readonly deliveryHistory: DeliveryHistory;
  readonly lateJobHistory: LateJobHistory;
  readonly workerHistory: WorkerHistory;
  readonly openWorkers: OpenWorkers;
  readonly workerJobCounts: WorkerJobCounts;
  readonly usageSums: UsageSums;
  readonly eventHistory: EventHistory;
  readonly keys: Keys;
  readonly deliveries: Deliveries;
  /** Creates job ids (`core/jobs/id.ts`), injected so that tests can choose them. */
  readonly newJobId: NewJobId;
  /** Private networks that webhooks may call. */
  readonly webhookNetworks: readonly string[];
}

/** Dependencies of all adapters. */
export interface PortOptions {
  readonly clock?: Clock | undefined;
  readonly onClient?: OnClient | undefined;
  /** Called with each lease and chunk that is skipped. The ledger counts invalid items of the jobs table. */
  readonly onUnreadable?: OnUnreadable | undefined;
  /** Holds the slots of waiting calls, in a process with many waiting calls. */
  readonly holder?: SlotHolder | undefined;
}

/** Functions that create the adapter of each port, by the name of the port. */
export type Adapters<Chosen> = { readonly [Name in keyof Chosen]: () => Chosen[Name] };

/** Returns a function that calls `create` only once, and always returns that result. */
function once<Value>(create: () => Value): () => Value {
  let created: { readonly value: Value } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}

/**
 * Creates each adapter when its port is first used, so that a function needs only the environment variables of the
 * ports that it uses.
 */
export function portsFrom<Chosen extends object>(adapters: Adapters<Chosen>): Chosen {
  const ports = {};
  for (const [name, create] of Object.entries<() => unknown>(adapters))
    Object.defineProperty(ports, name, { get: once(create), enumerable: true });
  return ports as Chosen;
}

/**
 * Returns the ports with some of them replaced or added. The others are still created when they are first used, because
 * the result reads them through getters. A spread would read, and thus create, all of them.
 */
export function portsWith<Before extends object, Changed extends object>(
  before: Before,
  changed: Changed,
): Before & Changed {
  const gettersOf = (ports: object) =>
    Object.keys(ports).map((name) => [name, { get: () => Reflect.get(ports, name), enumerable: true }] as const);
  return Object.defineProperties(
    {} as Before & Changed,
    Object.fromEntries([...gettersOf(before), ...gettersOf(changed)]),
  );
}

/** Returns a function that creates the document client when the first adapter needs it. Adapters share this client. */
export const documentsOf = (onClient?: OnClient) => once(() => createDocumentClient(onClient));

/**
 * Returns all adapters except those of objects and secrets, whose clients are large (`payloadAdapters`,
 * `secretAdapters`).
 */
export function adaptersOf({
  clock = systemClock,
  onClient,
  onUnreadable,
  holder,
}: PortOptions = {}): Adapters<Omit<Ports, 'objects' | 'secrets'>> {
  const documents = documentsOf(onClient);
  const jobs = once(() => createJobs(documents(), environment('JOBS_TABLE')));
  const historyTable = () => ({ table: environment('HISTORY_TABLE'), days: Number(environment('HISTORY_DAYS')) });
  const deliveryTable = () => ({
    table: optionalEnvironment('HISTORY_TABLE') ?? '',
    days: Number(optionalEnvironment('DELIVERY_HISTORY_DAYS') ?? 0),
  });
  return {
    clock: () => clock,
    jobs,
    polledJobs: () => {
      const tables = { jobs: environment('JOBS_TABLE'), deliveries: environment('DELIVERIES_TABLE') };
      return createPolledJobs(documents(), tables, jobs());
    },
    purgeCounts: () => {
      const tables = { jobs: environment('JOBS_TABLE'), endpoints: environment('ENDPOINTS_TABLE') };
      return createPurgeCounts(documents(), tables, clock);
    },
    payloads: () => createPayloads(documents(), environment('PAYLOADS_TABLE')),
    chunks: () => createChunks(documents(), environment('PAYLOADS_TABLE'), onUnreadable),
    drains: () => createDrains(documents(), environment('PAYLOADS_TABLE')),
    idempotencyKeys: () => createIdempotencyKeys(documents(), environment('PAYLOADS_TABLE')),
    ledger: () => createLedger(documents(), environment('ENDPOINTS_TABLE')),
    arrivals: () => createArrivals(documents(), environment('ARRIVALS_TABLE'), clock),
    deadlines: () => createDeadlines(documents(), environment('DEADLINES_TABLE')),
    jobHistory: () => createJobHistory(documents(), historyTable(), clock),
    attemptHistory: () => createAttemptHistory(documents(), historyTable(), clock),
    deliveryHistory: () => createDeliveryHistory(documents(), deliveryTable(), clock),
    lateJobHistory: () => createLateJobHistory(documents(), historyTable(), clock),
    workerHistory: () => createWorkerHistory(documents(), historyTable(), clock),
    openWorkers: () => createOpenWorkers(documents(), historyTable(), clock),
    workerJobCounts: () => createWorkerJobCounts(documents(), historyTable(), clock),
    usageSums: () => createUsageSums(documents(), historyTable(), clock),
    eventHistory: () => createEventHistory(documents(), historyTable(), clock),
    endpoints: () => createEndpoints(documents(), environment('ENDPOINTS_TABLE'), clock),
    callCounts: () => createCallCounts(documents(), environment('ENDPOINTS_TABLE')),
    waitSlots: () => createWaitSlots(documents(), environment('ENDPOINTS_TABLE'), Number(environment('WAITS')), holder),
    directLimits: () => createDirectLimits(documents(), environment('ENDPOINTS_TABLE')),
    workers: () => createWorkers(documents(), environment('WORKERS_TABLE'), clock, onUnreadable),
    starts: () => createStarts(documents(), environment('WORKERS_TABLE')),
    volumeMarks: () => createWorkerMarks(documents(), environment('PAYLOADS_TABLE'), 'measured'),
    replacementMarks: () => createWorkerMarks(documents(), environment('PAYLOADS_TABLE'), 'replaced'),
    keys: () => createKeys(documents(), environment('KEYS_TABLE'), clock),
    deliveries: () => createDeliveries(documents(), environment('DELIVERIES_TABLE')),
    jobQueues: () => createJobQueues(createQueueClient(onClient)),
    webhookNetworks: () => environmentList('WEBHOOK_NETWORKS'),
    newJobId: () => (kind, now) => jobId(kind, now, randomBytes(32)),
  };
}

export const createPorts = (options?: PortOptions): Omit<Ports, 'objects' | 'secrets'> =>
  portsFrom(adaptersOf(options));
