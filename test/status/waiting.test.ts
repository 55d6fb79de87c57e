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
});
const free = lease([]);
const busy = lease(['j1']);
const lost = lease(['j2'], NOW - 1);
const refused: Lease = { ...lease([]), unprotected: 'WAITS' };
const retiring: Lease = { ...busy, retiring: true };

interface Situation {
  readonly low?: boolean;
  readonly minWorkers?: number;
  readonly maxWorkers?: number;
  readonly desired?: number;
  /** Milliseconds since that many workers were requested. */
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
    ['nothing has been asked for yet', {}, 'NO_WORKER'],
    ['all workers are lost and none was asked for', { desired: 0, asked: 0, leases: [lost] }, 'NO_WORKER'],
    ['the first worker was asked for', { desired: 1, asked: 0, inQueue: 1 }, 'SCALING_UP'],
    ['it was asked for as long ago as a start may take', { desired: 1, asked: START_LIMIT }, 'SCALING_UP'],
    ['it was asked for longer ago', { desired: 1, asked: START_LIMIT + 1 }, 'WAITING_FOR_CAPACITY'],
    ['workers of the minimum are missing, and no time is stored', { minWorkers: 1 }, 'SCALING_UP'],
    ['another worker was asked for', { desired: 2, asked: MINUTE, leases: [busy], inProgress: 1 }, 'SCALING_UP'],
    ['another one does not come', { desired: 2, asked: 6 * MINUTE, leases: [busy] }, 'WAITING_FOR_CAPACITY'],
    ['one was lost, and another was asked for', { desired: 1, asked: 0, leases: [lost] }, 'SCALING_UP'],
    ['a worker has room for another job', { concurrency: 2, leases: [busy], inProgress: 1 }, 'WORKER_STARTING'],
    ['a worker has no job yet', { desired: 1, asked: MINUTE, leases: [free] }, 'WORKER_STARTING'],
    ['it has none, and others do not come', { desired: 3, asked: 6 * MINUTE, leases: [free] }, 'WORKER_STARTING'],
    ['the counts show its job before its lease', { desired: 1, leases: [free], inProgress: 1 }, 'WORKERS_BUSY'],
    ['the lease shows its job before the counts', { desired: 1, leases: [busy] }, 'WORKERS_BUSY'],
    ['ECS protects none but the busy one', { desired: 2, leases: [busy, refused], inProgress: 1 }, 'WORKERS_BUSY'],
    ['the only one takes no more', { concurrency: 2, desired: 1, leases: [retiring], inProgress: 1 }, 'WORKERS_BUSY'],
    [
      'one takes no more, and the other has room',
      { concurrency: 2, desired: 2, leases: [retiring, busy], inProgress: 2 },
      'WORKER_STARTING',
    ],
    [
      'one takes no more, and another was asked for',
      { concurrency: 2, desired: 2, asked: 0, leases: [retiring], inProgress: 1 },
      'SCALING_UP',
    ],
    ['one of two is busy', { desired: 2, leases: [busy, free], inProgress: 1 }, 'WORKER_STARTING'],
    ['all that there may be are busy', { desired: 1, maxWorkers: 1, leases: [busy] }, 'WORKERS_BUSY'],
  ])('while %s', (_, situation, reason) => {
    expect(reasonOf(situation)).toBe(reason);
  });

  it.each<[when: string, situation: Situation, WaitReason]>([
    ['a normal one waits too', { inQueue: 2, lowInQueue: 1, leases: [free] }, 'LOW_PRIORITY'],
    ['no worker runs, and none starts for it', { inQueue: 1, lowInQueue: 1 }, 'LOW_PRIORITY'],
    ['those that others started are busy', { desired: 1, leases: [busy], lowInQueue: 1, inQueue: 1 }, 'LOW_PRIORITY'],
    ['as many as there may be are busy', { desired: 1, maxWorkers: 1, leases: [busy] }, 'WORKERS_BUSY'],
    ['a worker for others starts', { desired: 1, asked: 0, lowInQueue: 1, inQueue: 1 }, 'SCALING_UP'],
    ['that worker does not come', { desired: 1, asked: 6 * MINUTE, lowInQueue: 1, inQueue: 1 }, 'WAITING_FOR_CAPACITY'],
    ['a worker has no job', { desired: 1, leases: [free], lowInQueue: 1, inQueue: 1 }, 'WORKER_STARTING'],
  ])('of low priority while %s', (_, situation, reason) => {
    expect(reasonOf({ ...situation, low: true })).toBe(reason);
  });
});
