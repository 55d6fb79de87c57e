/**
 * Counts the reads of calls that wait for a job. The calls run in this process, with a clock that jumps from one
 * pause to the next, so that a wait of a minute takes milliseconds.
 */
import { createCache } from '../../../../aws/cache.ts';
import type { Endpoint } from '../../../../core/endpoints/endpoint.ts';
import type { FindPorts } from '../../../../core/jobs/find.ts';
import type { Job } from '../../../../core/jobs/job.ts';
import { ENDPOINT_CACHE, MINUTE } from '../../../../core/limits.ts';
import { waitFor } from '../../../../core/waiting-calls/wait.ts';
import { createJumpingClock } from './jumping-clock.ts';

export interface WaitReads {
  /** Number of calls that wait in one process for the same job at the same time. */
  readonly calls: number;
  /**
   * Status of the job. If the job is in the queue, the endpoint is read too, because a purge may remove the job.
   */
  readonly status: 'IN_QUEUE' | 'IN_PROGRESS';
  readonly getItem: number;
  readonly batchGetItem: number;
  readonly query: number;
  /** Read units of one read: each item has less than 4 KB, and reads are strongly consistent. */
  readonly rru: number;
}

/** A fixed start time in milliseconds since the epoch, so that the counts are always the same. */
const START = Date.UTC(2026, 0, 1);
const KEY = { endpoint: 'echo', id: '0'.repeat(36) };
const job = {
  ...KEY,
  generation: 0,
  queuedAt: START,
  queueDeadline: START + 10 * MINUTE,
  executionDeadline: START + 10 * MINUTE,
};
const endpoint = { id: KEY.endpoint, generation: 0, purgedAt: 0 };

/** Measures this number of calls, which begin within a second and wait for a minute. */
async function measureWait(calls: number, status: WaitReads['status']): Promise<WaitReads> {
  const { clock, run } = createJumpingClock(START);
  const reads = { getItem: 0, batchGetItem: 0, query: 0, rru: 0 };
  const count = (operation: 'getItem' | 'batchGetItem' | 'query', items: number) => {
    reads[operation] += 1;
    reads.rru += items;
  };
  const stored = { ...job, status } as Job;
  const ports = {
    clock,
    jobs: {
      async read() {
        count('getItem', 1);
        return stored;
      },
      async readMany(keys: readonly unknown[]) {
        count('batchGetItem', keys.length);
        return keys.map(() => stored);
      },
    },
    endpoints: {
      read: createCache(clock, ENDPOINT_CACHE, async () => {
        count('query', 1);
        return endpoint as Endpoint;
      }),
    },
  } as unknown as FindPorts;
  const waits = Array.from({ length: calls }, async (_, n) => {
    await clock.pause(Math.floor((n * 1_000) / calls));
    await waitFor(ports, KEY, MINUTE, async () => undefined);
  });
  await run();
  await Promise.all(waits);
  return { calls, status, ...reads };
}

export async function measureWaits(): Promise<WaitReads[]> {
  const measured: WaitReads[] = [];
  for (const calls of [1, 200])
    for (const status of ['IN_PROGRESS', 'IN_QUEUE'] as const) measured.push(await measureWait(calls, status));
  return measured;
}

/** @returns a sentence for each wait that reads more than recorded */
export function grownWaits(before: readonly WaitReads[], now: readonly WaitReads[]): string[] {
  return now.flatMap(({ calls, status, rru }) => {
    const recorded = before.find((one) => one.calls === calls && one.status === status);
    if (recorded && rru <= recorded.rru) return [];
    return [`${calls} waits for a job that is ${status} read ${rru} RRU; ${recorded?.rru ?? 'nothing'} is recorded.`];
  });
}
