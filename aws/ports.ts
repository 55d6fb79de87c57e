/** The ports over AWS, or over what answers in its place at the addresses that the SDK is given. */

import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '../core/clock.ts';
import type { Endpoints } from '../core/endpoints/store.ts';
import type { Deadlines } from '../core/expiry/due.ts';
import { jobId, type NewJobId } from '../core/jobs/id.ts';
import type { JobQueues } from '../core/jobs/queues.ts';
import type { Jobs, Objects, Payloads, Secrets } from '../core/jobs/store.ts';
import type { Keys } from '../core/keys/key.ts';
import type { Arrivals, Ledger } from '../core/ledger/store.ts';
import type { CallCounts } from '../core/rates/call-limit.ts';
import type { DirectLimits } from '../core/rates/direct-limit.ts';
import type { Chunks, Drains } from '../core/streams/store.ts';
import type { Claims } from '../core/submission/idempotency.ts';
import type { OnUnreadable } from '../core/unreadable.ts';
import type { WaitSlots } from '../core/waits/slots.ts';
import type { Deliveries } from '../core/webhooks/store.ts';
import type { WorkerMarks, Workers } from '../core/workers/lease.ts';
import { createArrivals } from './arrivals.ts';
import { createCallCounts } from './call-counts.ts';
import { createChunks } from './chunks.ts';
import { createClaims } from './claims.ts';
import { createDocumentClient, createQueueClient, type OnClient } from './clients.ts';
import { createDeadlines } from './deadlines.ts';
import { createDeliveries } from './deliveries.ts';
import { createDirectLimits } from './direct-limits.ts';
import { createDrains } from './drains.ts';
import { createEndpoints } from './endpoints.ts';
import { environment, environmentList } from './environment.ts';
import { createJobQueues } from './job-queues.ts';
import { createJobs } from './jobs.ts';
import { createKeys } from './keys.ts';
import { createLedger } from './ledger.ts';
import { createPayloads } from './payloads.ts';
import type { SlotHolder } from './slot-holders.ts';
import { createWaitSlots } from './wait-slots.ts';
import { createWorkerMarks } from './worker-marks.ts';
import { createWorkers } from './workers.ts';

export interface Ports {
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly payloads: Payloads;
  readonly chunks: Chunks;
  readonly drains: Drains;
  readonly claims: Claims;
  readonly objects: Objects;
  readonly secrets: Secrets;
  readonly jobQueues: JobQueues;
  readonly endpoints: Endpoints;
  readonly callCounts: CallCounts;
  readonly waitSlots: WaitSlots;
  readonly directLimits: DirectLimits;
  readonly workers: Workers;
  readonly volumeMarks: WorkerMarks;
  readonly replacementMarks: WorkerMarks;
  readonly ledger: Ledger;
  readonly arrivals: Arrivals;
  readonly deadlines: Deadlines;
  readonly keys: Keys;
  readonly deliveries: Deliveries;
  /** New job ids (`core/jobs/id.ts`), injected so that tests can name jobs. */
  readonly newJobId: NewJobId;
  /** Networks that webhooks may lead to although they are not public. */
  readonly webhookNetworks: readonly string[];
}

/** Makes a part when it is first used, so that a function needs the variables of what it touches and no others. */
function lazy<Part>(make: () => Part): () => Part {
  let part: Part | undefined;
  return () => {
    part ??= make();
    return part;
  };
}

/**
 * All of it but objects and secrets, whose clients are large: whoever needs them says so (`payload-ports.ts`,
 * `secret-ports.ts`).
 * @param onUnreadable is called with each lease and chunk that is skipped; the ledger counts what is no job
 * @param holder of the slots of calls that wait, in a process that has many such calls
 */
export function createPorts(
  clock: Clock = systemClock,
  onClient?: OnClient,
  onUnreadable?: OnUnreadable,
  holder?: SlotHolder,
): Omit<Ports, 'objects' | 'secrets'> {
  const documents = lazy(() => createDocumentClient(onClient));
  const parts = {
    jobs: lazy(() => createJobs(documents(), environment('JOBS_TABLE'))),
    payloads: lazy(() => createPayloads(documents(), environment('PAYLOADS_TABLE'))),
    chunks: lazy(() => createChunks(documents(), environment('PAYLOADS_TABLE'), onUnreadable)),
    drains: lazy(() => createDrains(documents(), environment('PAYLOADS_TABLE'))),
    claims: lazy(() => createClaims(documents(), environment('PAYLOADS_TABLE'))),
    ledger: lazy(() => createLedger(documents(), environment('ENDPOINTS_TABLE'))),
    arrivals: lazy(() => createArrivals(documents(), environment('ARRIVALS_TABLE'), clock)),
    deadlines: lazy(() => createDeadlines(documents(), environment('DEADLINES_TABLE'))),
    endpoints: lazy(() => createEndpoints(documents(), environment('ENDPOINTS_TABLE'), clock)),
    callCounts: lazy(() => createCallCounts(documents(), environment('ENDPOINTS_TABLE'))),
    waitSlots: lazy(() =>
      createWaitSlots(documents(), environment('ENDPOINTS_TABLE'), Number(environment('WAITS')), holder),
    ),
    directLimits: lazy(() => createDirectLimits(documents(), environment('ENDPOINTS_TABLE'))),
    workers: lazy(() => createWorkers(documents(), environment('WORKERS_TABLE'), clock, onUnreadable)),
    volumeMarks: lazy(() => createWorkerMarks(documents(), environment('PAYLOADS_TABLE'), 'measured')),
    replacementMarks: lazy(() => createWorkerMarks(documents(), environment('PAYLOADS_TABLE'), 'replaced')),
    keys: lazy(() => createKeys(documents(), environment('KEYS_TABLE'), clock)),
    deliveries: lazy(() => createDeliveries(documents(), environment('DELIVERIES_TABLE'))),
    jobQueues: lazy(() => createJobQueues(createQueueClient(onClient))),
  };
  return {
    clock,
    get jobs() {
      return parts.jobs();
    },
    get payloads() {
      return parts.payloads();
    },
    get chunks() {
      return parts.chunks();
    },
    get drains() {
      return parts.drains();
    },
    get claims() {
      return parts.claims();
    },
    get ledger() {
      return parts.ledger();
    },
    get arrivals() {
      return parts.arrivals();
    },
    get deadlines() {
      return parts.deadlines();
    },
    get endpoints() {
      return parts.endpoints();
    },
    get callCounts() {
      return parts.callCounts();
    },
    get waitSlots() {
      return parts.waitSlots();
    },
    get directLimits() {
      return parts.directLimits();
    },
    get workers() {
      return parts.workers();
    },
    get volumeMarks() {
      return parts.volumeMarks();
    },
    get replacementMarks() {
      return parts.replacementMarks();
    },
    get keys() {
      return parts.keys();
    },
    get deliveries() {
      return parts.deliveries();
    },
    get jobQueues() {
      return parts.jobQueues();
    },
    get webhookNetworks() {
      return environmentList('WEBHOOK_NETWORKS');
    },
    newJobId: (kind, now) => jobId(kind, now, randomBytes(32)),
  };
}
