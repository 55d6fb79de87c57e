/** Counts how often waiting calls read their jobs, over the emulators. The test moves the clock. */

import { describe, expect, it } from '@jest/globals';
import { createDocumentClient } from '../../aws/clients.ts';
import { createJobs } from '../../aws/jobs/jobs.ts';
import { portsWith } from '../../aws/ports.ts';
import type { Clock } from '../../core/clock.ts';
import type { Endpoints } from '../../core/endpoints/store.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import type { JobKey } from '../../core/jobs/job.ts';
import type { Jobs } from '../../core/jobs/store.ts';
import { SECOND } from '../../core/limits.ts';
import { JobNotFound } from '../../core/requests/errors.ts';
import { waitFor } from '../../core/waiting-calls/wait.ts';
import { finishJob, startJob, submitJob } from '../jobs/scripted-job.ts';
import { PausingClock } from '../support/pausing-clock.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { ports } = emulated;

const admitted = async () => undefined;

interface Reads {
  readonly at: number;
  readonly keys: number;
}

/** Creates a process whose batches are recorded, and whose calls to AWS end before time passes. */
function createProcess() {
  const clock = new PausingClock(emulated.clock.now());
  const batches: Reads[] = [];
  let [underWay, gets] = [0, 0];
  const { endpoints, jobs } = ports;
  const during = async <Result>(work: Promise<Result>): Promise<Result> => {
    underWay += 1;
    return work.finally(() => {
      underWay -= 1;
    });
  };
  const parts: { readonly clock: Clock; readonly endpoints: Endpoints; readonly jobs: Jobs } = {
    clock,
    endpoints: { ...endpoints, read: (id) => during(endpoints.read(id)) },
    jobs: {
      ...jobs,
      read(key) {
        gets += 1;
        return during(jobs.read(key));
      },
      readMany(keys) {
        batches.push({ at: clock.now(), keys: keys.length });
        return during(jobs.readMany(keys));
      },
      move: (...call) => during(jobs.move(...call)),
    },
  };
  return {
    ports: portsWith(ports, parts),
    clock,
    batches,
    during,
    get gets() {
      return gets;
    },
    /** Lets time pass until the calls have ended. */
    run: <Result>(calls: Promise<Result>) => clock.run(calls, () => underWay === 0),
  };
}

const keyOf = async (endpoint: string): Promise<JobKey> => ({ endpoint, id: await submitJob(ports, endpoint) });

describe('a call that waits', () => {
  it('reads the job every 50 ms for 5 seconds and then once a second, until the wait is over', async () => {
    await emulated.deploy('wa-often');
    const key = await keyOf('wa-often');
    const { run, ports: own, batches, clock } = createProcess();
    const start = clock.now();
    const job = await run(waitFor(own, key, 60 * SECOND, admitted));
    expect(job.status).toBe('IN_QUEUE');
    expect(clock.now() - start).toBe(60 * SECOND);
    const times = batches.map(({ at }) => at - start);
    const early = times.filter((time) => time <= 5 * SECOND);
    const pauses = early.map((time, n) => time - (early[n - 1] ?? 0));
    const first = pauses.findIndex((_, n) => pauses.slice(n).every((pause) => pause === 50));
    expect(early[first]).toBeLessThanOrEqual(250);
    expect(first).toBeLessThanOrEqual(10);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(5);
    const late = times.filter((time) => time > 5 * SECOND);
    expect(late.length).toBeLessThanOrEqual(57);
    expect(Math.max(...late.map((time, n) => time - (late[n - 1] ?? 5 * SECOND)))).toBeLessThanOrEqual(SECOND);
  });

  it('does not read a job that it has just stored before its first pause', async () => {
    await emulated.deploy('wa-new');
    const process = createProcess();
    const { run, ports: own, batches, clock } = process;
    const start = clock.now();
    const job = await run(waitFor(own, await keyOf('wa-new'), SECOND, admitted, { isNew: true }));
    expect(job.status).toBe('IN_QUEUE');
    expect(process.gets).toBe(0);
    expect((batches[0]?.at ?? 0) - start).toBeGreaterThanOrEqual(5);
  });

  it('answers soon after the end of a job that ends within 5 seconds, and sooner after a shorter job', async () => {
    await emulated.deploy('wa-soon');
    const { run, ports: own, clock, during } = createProcess();
    for (const milliseconds of [10, 16, 18, 22, 31, 50, 73, 730, 2_345, 4_990]) {
      const key = await keyOf('wa-soon');
      const start = clock.now();
      const end = clock.pause(milliseconds).then(() => during(cancel(ports, key)));
      const [job] = await run(Promise.all([waitFor(own, key, 60 * SECOND, admitted), end]));
      expect(job.status).toBe('CANCELLED');
      expect(clock.now() - start - milliseconds).toBeLessThanOrEqual(Math.min(50, Math.max(5, milliseconds / 2)));
    }
  });

  it('shares its reads of the job with the other calls of its process, at most one per second', async () => {
    await emulated.deploy('wa-shared');
    const key = await keyOf('wa-shared');
    const { run, ports: own, batches, clock } = createProcess();
    const begin = async (after: number) => {
      await clock.pause(after);
      return waitFor(own, key, 30 * SECOND, admitted);
    };
    const start = clock.now();
    await run(Promise.all(Array.from({ length: 50 }, (_, n) => begin(7 * n))));
    const after = (from: number, to: number) => batches.filter(({ at }) => at - start > from && at - start <= to);
    expect(after(6 * SECOND, 26 * SECOND)).toHaveLength(20);
    // Calls that begin at different times read at fine ticks first.
    expect(after(0, 6 * SECOND).length).toBeLessThanOrEqual(220);
    expect(new Set(batches.map(({ keys }) => keys))).toEqual(new Set([1]));
  });

  it('reads jobs in batches of equal size, at most 20 per second', async () => {
    await emulated.deploy('wa-many');
    const keys = await Promise.all(Array.from({ length: 110 }, () => keyOf('wa-many')));
    const process = createProcess();
    const { run, ports: own, batches, clock } = process;
    const start = clock.now();
    await run(Promise.all(keys.map((key) => waitFor(own, key, 7_999, admitted))));
    const late = batches.filter(({ at }) => at - start > 6 * SECOND && at - start <= 7 * SECOND);
    expect(late.length).toBeLessThanOrEqual(20);
    expect(Math.max(...late.map((batch) => batch.keys))).toBeLessThan(30);
    expect(late.reduce((sum, batch) => sum + batch.keys, 0)).toBe(110);
    expect(Math.max(...batches.map((batch) => batch.keys))).toBe(100);
    expect(process.gets).toBe(110);
  });

  it('of 500 that begin within a second makes at most 150 reads in a second', async () => {
    await emulated.deploy('wa-burst');
    const keys = await Promise.all(Array.from({ length: 20 }, () => keyOf('wa-burst')));
    const { run, ports: own, batches, clock } = createProcess();
    const begin = async (n: number) => {
      await clock.pause(2 * n);
      return waitFor(own, keys[n % keys.length] as JobKey, 3 * SECOND, admitted);
    };
    await run(Promise.all(Array.from({ length: 500 }, (_, n) => begin(n))));
    const seconds = Map.groupBy(batches, ({ at }) => Math.floor(at / SECOND));
    expect(Math.max(...[...seconds.values()].map((reads) => reads.length))).toBeLessThanOrEqual(150);
  });

  it('pauses for longer if a read takes long, at most for one second', async () => {
    await emulated.deploy('wa-slow');
    const key = await keyOf('wa-slow');
    const looksAt = async (took: number) => {
      const looks: number[] = [];
      let now = emulated.clock.now();
      const clock: Clock = {
        now: () => now,
        pause: async (milliseconds) => {
          now += milliseconds;
        },
      };
      const readMany = async (keys: readonly JobKey[]) => {
        looks.push(now);
        now += took;
        return ports.jobs.readMany(keys);
      };
      const slow = portsWith(ports, { clock, jobs: { ...ports.jobs, readMany } });
      await waitFor(slow, key, 4 * SECOND, admitted);
      return looks.map((time, n) => time - (looks[n - 1] ?? time)).slice(1, 4);
    };
    for (const [took, min] of [
      [100, 300],
      [900, SECOND],
    ] as const) {
      const pauses = await looksAt(took);
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(min);
      expect(Math.max(...pauses)).toBeLessThan(min + 50);
    }
  });

  it('no longer reads the job after the call was refused, has failed or has ended', async () => {
    await emulated.deploy('wa-stop');
    const key = await keyOf('wa-stop');
    const ended = { endpoint: 'wa-stop', id: await finishJob(ports, 'wa-stop', { output: '1' }) };
    const { run, ports: own, batches, clock } = createProcess();
    const refuse = async () => {
      throw new Error('No slot.');
    };
    await expect(run(waitFor(own, key, SECOND, refuse))).rejects.toThrow('No slot.');
    await expect(run(waitFor(own, { ...key, id: '0'.repeat(36) }, SECOND, admitted))).rejects.toThrow(JobNotFound);
    expect((await run(waitFor(own, ended, SECOND, admitted))).status).toBe('COMPLETED');
    await run(waitFor(own, key, SECOND, admitted));
    const seen = batches.length;
    expect(clock.pauses).toBe(0);
    await run(clock.pause(5 * SECOND));
    expect(batches).toHaveLength(seen);
  });
});

describe('many calls that wait for one job', () => {
  it('store the end of the job once if the job has timed out', async () => {
    await emulated.deploy('wa-clock');
    const job = await startJob(ports, 'wa-clock', { executionTimeout: 6_000 });
    const { run, ports: own } = createProcess();
    let moves = 0;
    const jobs: Jobs = {
      ...own.jobs,
      move(...call) {
        moves += 1;
        return own.jobs.move(...call);
      },
    };
    const counted = portsWith(own, { jobs });
    const calls = Array.from({ length: 20 }, () => waitFor(counted, job, 20 * SECOND, admitted));
    const ends = await run(Promise.all(calls));
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['TIMED_OUT']));
    expect(moves).toBe(1);
  });

  it('continue to wait if a read fails, and return when the job has ended', async () => {
    await emulated.deploy('wa-fail');
    const key = await keyOf('wa-fail');
    const { run, ports: own, clock, during } = createProcess();
    let looks = 0;
    const readMany = async (keys: readonly JobKey[]) => {
      looks += 1;
      if (looks === 1) throw new Error('The table is not there.');
      return own.jobs.readMany(keys);
    };
    const faulty = portsWith(own, { jobs: { ...own.jobs, readMany } });
    const end = clock.pause(3).then(() => during(cancel(ports, key)));
    const start = clock.now();
    const calls = [0, 1].map(() => waitFor(faulty, key, 20 * SECOND, admitted));
    const [jobs] = await run(Promise.all([Promise.all(calls), end]));
    expect(jobs.map(({ status }) => status)).toEqual(['CANCELLED', 'CANCELLED']);
    expect(clock.now() - start).toBeLessThanOrEqual(100);
    expect(looks).toBe(2);
  });

  it('continue to wait if the endpoint of a waiting job cannot be read', async () => {
    await emulated.deploy('wa-endpoint');
    const key = await keyOf('wa-endpoint');
    const { run, ports: own, clock, during } = createProcess();
    let reads = 0;
    const read: Endpoints['read'] = async (id) => {
      reads += 1;
      if (reads === 2) throw new Error('The table is throttled.');
      return own.endpoints.read(id);
    };
    const faulty = portsWith(own, { endpoints: { ...own.endpoints, read } });
    const end = clock.pause(100).then(() => during(cancel(ports, key)));
    const [{ status }] = await run(Promise.all([waitFor(faulty, key, 20 * SECOND, admitted), end]));
    expect(status).toBe('CANCELLED');
    expect(reads).toBeGreaterThan(2);
  });
});

describe('a batch from which DynamoDB omits one job', () => {
  /** Creates a process whose batches lack one job, as if the partition of the job were throttled. */
  async function throttle(endpoint: string) {
    await emulated.deploy(endpoint);
    const throttled = await keyOf(endpoint);
    const documents = createDocumentClient();
    documents.middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args);
        const output = result.output as { Responses?: Record<string, { partition: unknown; id: unknown }[]> };
        const items = output.Responses?.JOBS_TABLE ?? [];
        const left = items.findIndex(({ id }) => id === throttled.id);
        if (left < 0) return result;
        const Keys = items.splice(left, 1).map(({ partition, id }) => ({ partition, id }));
        Object.assign(output, { UnprocessedKeys: { JOBS_TABLE: { Keys } } });
        return result;
      },
      { step: 'deserialize', priority: 'high' },
    );
    const { ports: base, run, clock, during } = createProcess();
    const { readMany } = createJobs(documents, 'JOBS_TABLE');
    const jobs = { ...base.jobs, readMany: (keys: readonly JobKey[]) => during(readMany(keys)) };
    return { run, clock, during, throttled, ports: portsWith(base, { jobs }) };
  }

  it('returns the other jobs', async () => {
    const { ports: own, throttled } = await throttle('wa-left');
    const keys = [await keyOf('wa-left'), throttled, { endpoint: 'wa-left', id: '0'.repeat(36) }];
    const jobs = await own.jobs.readMany(keys);
    expect(jobs.map((job) => (typeof job === 'object' ? job.id : job))).toEqual([keys[0]?.id, 'not read', undefined]);
  });

  it('does not delay other endpoints, whose calls are answered within 50 ms of the end of their jobs', async () => {
    const { run, ports: own, clock, during, throttled } = await throttle('wa-hot');
    await emulated.deploy('wa-cold');
    const other = await keyOf('wa-cold');
    const start = clock.now();
    const end = clock.pause(2_345).then(() => during(cancel(ports, other)));
    const late = waitFor(own, throttled, 8 * SECOND, admitted);
    const answer = async () => {
      const { status } = await waitFor(own, other, 60 * SECOND, admitted);
      return { status, after: clock.now() - start - 2_345 };
    };
    const [{ status, after }] = await run(Promise.all([answer(), end]));
    expect(status).toBe('CANCELLED');
    expect(after).toBeLessThanOrEqual(50);
    await run(late);
  });

  it('does not prevent a call from returning the current job at the end of its wait', async () => {
    const { run, ports: own, clock, during, throttled } = await throttle('wa-end');
    const start = clock.now();
    const end = clock.pause(SECOND).then(() => during(cancel(ports, throttled)));
    const [job] = await run(Promise.all([waitFor(own, throttled, 8 * SECOND, admitted), end]));
    expect(job.status).toBe('CANCELLED');
    expect(clock.now() - start).toBeLessThanOrEqual(8 * SECOND);
  });

  it('fails a call after 10 seconds without a read of its job', async () => {
    const { run, ports: own, clock, throttled } = await throttle('wa-long');
    const start = clock.now();
    await expect(run(waitFor(own, throttled, 60 * SECOND, admitted))).rejects.toThrow('DynamoDB did not read job');
    const took = clock.now() - start;
    expect(took).toBeGreaterThanOrEqual(10 * SECOND);
    expect(took).toBeLessThanOrEqual(12 * SECOND);
  });
});
