import { describe, expect, it } from '@jest/globals';
import { zeroCounters } from '../../core/endpoints/counts.ts';
import { unknownFleet } from '../../core/endpoints/fleet-state.ts';
import { LEASE, MINUTE, START_LIMIT } from '../../core/limits.ts';
import { type WaitReason, waitOf } from '../../core/status/waiting.ts';
import type { Lease } from '../../core/workers/lease.ts';

const NOW = 10 * START_LIMIT;

const lease = (jobs: string[], endsAt = NOW + LEASE): Lease => ({
  endpoint: 'echo',
  worker: `w${endsAt}${jobs.join()}`,
  jobs,
  endsAt,
  removeAfter: 1,
  readySince: 1,
});
const free = lease([]);
const busy = lease(['j1']);
const lost = lease(['j2'], NOW - 1);
const refused: Lease = { ...lease([]), unprotected: 'WAITS' };
const silent: Lease = { ...free, silent: true };
const retiring: Lease = { ...busy, retiring: true };

interface Situation {
  readonly low?: boolean;
  readonly minWorkers?: number;
  readonly maxWorkers?: number;
  readonly desired?: number;
  /** Milliseconds since the workers were requested. */
  readonly asked?: number;
  readonly inQueue?: number;
  readonly lowInQueue?: number;
  readonly inProgress?: number;
  readonly concurrency?: number;
  readonly leases?: readonly Lease[];
}

function reasonOf({
  low = false,
  minWorkers = 0,
  maxWorkers = 3,
  concurrency,
  desired,
  asked,
  leases = [],
  ...counts
}: Situation) {
  const desiredSince = asked === undefined ? undefined : NOW - asked;
  const bounds = { minWorkers, maxWorkers, concurrency };
  const endpoint = {
    ...bounds,
    desiredWorkers: desired,
    desiredSince,
    counts: { ...zeroCounters, ...counts },
    fleet: unknownFleet,
  };
  return waitOf(endpoint, leases, { lowPriority: low }, NOW).waitReason;
}

describe('a job waits', () => {
  it.each<[when: string, situation: Situation, WaitReason]>([
    ['no worker has been requested yet', {}, 'NO_WORKER'],
    ['all workers are lost and no other was requested', { desired: 0, asked: 0, leases: [lost] }, 'NO_WORKER'],
    ['the first worker was requested', { desired: 1, asked: 0, inQueue: 1 }, 'SCALING_UP'],
    ['the first worker was requested START_LIMIT ago', { desired: 1, asked: START_LIMIT }, 'SCALING_UP'],
    [
      'the first worker was requested more than START_LIMIT ago',
      { desired: 1, asked: START_LIMIT + 1 },
      'WAITING_FOR_CAPACITY',
    ],
    ['workers of the minimum number are missing, and no request time is stored', { minWorkers: 1 }, 'SCALING_UP'],
    ['another worker was requested', { desired: 2, asked: MINUTE, leases: [busy], inProgress: 1 }, 'SCALING_UP'],
    [
      'another worker does not start in time',
      { desired: 2, asked: 6 * MINUTE, leases: [busy] },
      'WAITING_FOR_CAPACITY',
    ],
    ['a worker was lost, and another was requested', { desired: 1, asked: 0, leases: [lost] }, 'SCALING_UP'],
    ['a worker has room for another job', { concurrency: 2, leases: [busy], inProgress: 1 }, 'WORKER_STARTING'],
    ['a worker has no job yet', { desired: 1, asked: MINUTE, leases: [free] }, 'WORKER_STARTING'],
    [
      'a worker has no job, and other workers do not start in time',
      { desired: 3, asked: 6 * MINUTE, leases: [free] },
      'WORKER_STARTING',
    ],
    [
      'the counts contain the job of a worker before its lease does',
      { desired: 1, leases: [free], inProgress: 1 },
      'WORKERS_BUSY',
    ],
    ['the lease of a worker contains its job before the counts do', { desired: 1, leases: [busy] }, 'WORKERS_BUSY'],
    ['ECS protects only the busy worker', { desired: 2, leases: [busy, refused], inProgress: 1 }, 'WORKERS_BUSY'],
    [
      'the only worker takes no more jobs',
      { concurrency: 2, desired: 1, leases: [retiring], inProgress: 1 },
      'WORKERS_BUSY',
    ],
    [
      'one worker takes no more jobs, and the other has room',
      { concurrency: 2, desired: 2, leases: [retiring, busy], inProgress: 2 },
      'WORKER_STARTING',
    ],
    [
      'one worker takes no more jobs, and another was requested',
      { concurrency: 2, desired: 2, asked: 0, leases: [retiring], inProgress: 1 },
      'SCALING_UP',
    ],
    ['one of two workers is busy', { desired: 2, leases: [busy, free], inProgress: 1 }, 'WORKER_STARTING'],
    ['the container of the only worker no longer asks for jobs', { desired: 1, leases: [silent] }, 'WORKER_UNHEALTHY'],
    ['one container no longer asks for jobs, and a worker is free', { leases: [silent, free] }, 'WORKER_STARTING'],
    ['the maximum number of workers is busy', { desired: 1, maxWorkers: 1, leases: [busy] }, 'WORKERS_BUSY'],
  ])('while %s', (_, situation, reason) => {
    expect(reasonOf(situation)).toBe(reason);
  });

  it.each<[when: string, situation: Situation, WaitReason]>([
    ['a normal job also waits', { inQueue: 2, lowInQueue: 1, leases: [free] }, 'LOW_PRIORITY'],
    ['no worker runs, and none starts for a job of low priority', { inQueue: 1, lowInQueue: 1 }, 'LOW_PRIORITY'],
    [
      'workers that normal jobs started are busy',
      { desired: 1, leases: [busy], lowInQueue: 1, inQueue: 1 },
      'LOW_PRIORITY',
    ],
    ['the maximum number of workers is busy', { desired: 1, maxWorkers: 1, leases: [busy] }, 'WORKERS_BUSY'],
    ['a worker for normal jobs starts', { desired: 1, asked: 0, lowInQueue: 1, inQueue: 1 }, 'SCALING_UP'],
    [
      'a worker for normal jobs does not start in time',
      { desired: 1, asked: 6 * MINUTE, lowInQueue: 1, inQueue: 1 },
      'WAITING_FOR_CAPACITY',
    ],
    ['a worker has no job', { desired: 1, leases: [free], lowInQueue: 1, inQueue: 1 }, 'WORKER_STARTING'],
  ])('with low priority while %s', (_, situation, reason) => {
    expect(reasonOf({ ...situation, low: true })).toBe(reason);
  });
});
