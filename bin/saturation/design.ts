/** The limits of the service's own design, from its code. */

import { MAX_WORKERS } from '../../core/endpoints/endpoint.ts';
import { partitionsOf } from '../../core/jobs/id.ts';
import { ledgerBatch } from '../../core/ledger/batch.ts';
import { BEAT, MINUTE, NAMED_AFTER, PROTECTION, RECORDED_AT_ONCE, SECOND } from '../../core/limits.ts';
import { jobRoutes } from '../../core/operations/routes.ts';
import { SWEPT_AT_ONCE } from '../../core/sweeper/sweep.ts';
import type { Quota } from './quotas.ts';

const perSecond = (per10Seconds: number) => per10Seconds / 10;

export const design = {
  /** Partition keys of the jobs table for each endpoint. */
  partitions: partitionsOf('endpoint').length,
  /** Most changes in one batch of the ledger, and how long it waits for a full batch, in seconds. */
  batch: ledgerBatch.changes,
  window: ledgerBatch.window / SECOND,
  /** Endpoints of a batch that the ledger records at the same time, and endpoints that a sweep sweeps. */
  recordedAtOnce: RECORDED_AT_ONCE,
  sweptAtOnce: SWEPT_AT_ONCE,
  /** Seconds between two beats of a worker, and the longest time for which the message of a running job is hidden. */
  beat: BEAT / SECOND,
  hidden: (NAMED_AFTER + BEAT) / SECOND,
  /** Seconds between two calls with which a busy worker renews its protection. */
  protection: PROTECTION / 2 / SECOND,
  /** Shards of the stream that Lambda reads in parallel for each shard, for webhooks: `lib/webhooks/webhooks.ts`. */
  webhooksAtOnce: 10,
  /** Roles, stacks, API keys and services of a deployment without endpoints, and of each endpoint, rounded up. */
  platform: { roles: 63, stacks: 5, keys: 3, services: 1, resources: 330 },
  endpoint: { roles: 2, stacks: 1, keys: 1, services: 1 },
} as const;

/** Figures that no emulator can measure. Each is an assumption, which the document states. */
export const assumptions = {
  /** Milliseconds of a call of DynamoDB from a function. */
  callMs: 5,
  /**
   * Milliseconds of a processor for each call of DynamoDB, with the AWS SDK on a laptop. A function with 1,769 MB of
   * memory has one processor.
   */
  callCpuMs: 0.3,
  memoryOfProcessor: 1_769,
  /** Milliseconds until a pipe has started an execution. */
  pipeMs: 50,
  /** Milliseconds until the receiver of a webhook has responded. */
  receiverMs: 200,
  /** Partitions of a new table on demand. */
  newPartitions: 4,
  /** Writes of log lines per second of each of the two containers of a worker. */
  logWrites: 0.2,
  /** Changes of the number of workers of each endpoint in an hour. */
  scalings: 12,
} as const;

const SERVICE = 'gpu-endpoints';

/** @param source path in this repository */
const own = (name: string, of: string, value: number, next: string, source: string): Quota => ({
  service: SERVICE,
  name,
  of,
  value,
  adjustable: false,
  next,
  date: '2026-11-26',
  source,
});

const { run, status } = jobRoutes;

export const ownLimits = {
  runRequests: own(
    '`/run` requests per second, in the contract',
    'endpoint',
    perSecond(run.limit.per10Seconds),
    'use more endpoints',
    'core/operations/routes.ts',
  ),
  statusRequests: own(
    '`/status` requests per second, in the contract',
    'endpoint',
    perSecond(status.limit.per10Seconds),
    'poll less often, use webhooks or more endpoints',
    'core/operations/routes.ts',
  ),
  workers: own(
    'workers',
    'endpoint',
    MAX_WORKERS,
    'run more jobs on each worker (`concurrency`), or use more endpoints',
    'core/endpoints/endpoint.ts',
  ),
  ledger: own(
    'working time of the ledger, in percent',
    'stream shard',
    100,
    'give the ledger more memory, and set the warm throughput of the jobs table, for more shards',
    'lib/ledger/ledger.ts',
  ),
  webhookStarts: own(
    'webhooks per second that the pipe starts',
    'stream shard',
    design.webhooksAtOnce * (SECOND / assumptions.pipeMs),
    'set the warm throughput of the jobs table, for more shards',
    'lib/webhooks/webhooks.ts',
  ),
  sweep: own(
    'seconds of a sweep, which begins every minute',
    'deployment',
    MINUTE / SECOND,
    'give the sweeper more memory, then use another deployment',
    'core/sweeper/sweep.ts',
  ),
} as const satisfies Readonly<Record<string, Quota>>;
