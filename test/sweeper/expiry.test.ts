/** Tests that timers end waiting jobs soon after their `ttl`, although the sweeper runs only once per minute. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createExpiryTimers } from '../../aws/expiry/timers.ts';
import { portsWith } from '../../aws/ports.ts';
import { type ExpiryTimer, expire, startTimers } from '../../core/expiry/expire.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import { purgeQueue } from '../../core/jobs/purge-queue.ts';
import { record } from '../../core/ledger/record.ts';
import { DAY, expiryTimer, HOUR, MINUTE, SECOND, SWEEP } from '../../core/limits.ts';
import { retry } from '../../core/submission/retry.ts';
import { sweep } from '../../core/sweeper/sweep.ts';
import { queuedJob } from '../jobs/queued-job.ts';
import { finishJob, startJob, submitJob, takeJob } from '../jobs/scripted-job.ts';
import { noReleases } from '../releases/no-releases.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

/**
 * Maximum time from the end of the `ttl` until a waiting job is ended and its webhook is sent, according to the
 * contract.
 */
const LATEST = 10 * SECOND;

const emulated = useEmulatedDeployment();
const ports = portsWith(emulated.ports, { ...noReleases(), services: recordServices() });

beforeEach(async () => {
  await emulated.changes();
  ports.expiryTimers.started.length = 0;
});

const now = () => emulated.clock.now();
const follow = async () => record(ports, await emulated.changes());
const read = (endpoint: string, id: string) => ports.jobs.read({ endpoint, id });

/** Removes and returns the started timers of the endpoint, in the order in which they run. */
function timersOf(endpoint: string): ExpiryTimer[] {
  const timers = ports.expiryTimers.started.filter((timer) => timer.endpoint === endpoint);
  ports.expiryTimers.started.length = 0;
  return timers.sort((one, other) => one.at - other.at);
}

/**
 * Moves the clock to the time of each timer and runs it.
 * @returns how many jobs have ended
 */
async function run(timers: readonly ExpiryTimer[]): Promise<number> {
  let ended = 0;
  for (const timer of timers) {
    emulated.clock.advance(Math.max(0, timer.at - now()));
    ended += await expire(ports, timer);
  }
  return ended;
}

describe('the ledger', () => {
  it('starts a timer for a job with a short ttl, which ends it within 10 s of its deadline', async () => {
    await emulated.deploy('ex-a');
    const id = await submitJob(ports, 'ex-a', { ttl: 10_000, lowPriority: true });
    const deadline = now() + 10_000;
    await follow();
    const timers = timersOf('ex-a');
    expect(timers).toEqual([{ endpoint: 'ex-a', jobs: [id], at: expect.any(Number) }]);
    expect(await run(timers)).toBe(1);
    expect(await read('ex-a', id)).toMatchObject({ status: 'TIMED_OUT', code: 'QUEUE_TTL_EXPIRED' });
    expect(now() - deadline).toBeGreaterThan(0);
    expect(now() - deadline).toBeLessThan(LATEST);
  });

  it('starts one timer for jobs that arrive together, and none for jobs that do not wait or have a long ttl', async () => {
    await emulated.deploy('ex-b');
    const together = await Promise.all([1, 2, 3].map(() => submitJob(ports, 'ex-b', { ttl: 20_000 })));
    await submitJob(ports, 'ex-b');
    await submitJob(ports, 'ex-b', { ttl: 2 * MINUTE });
    await startJob(ports, 'ex-b', { ttl: 20_000, executionTimeout: 20_000 });
    await finishJob(ports, 'ex-b', { output: '1' });
    await follow();
    const [timer, ...others] = timersOf('ex-b');
    expect(new Set(timer?.jobs)).toEqual(new Set(together));
    expect(others).toEqual([]);
  });

  it('starts a timer for the new deadline of a retried job, whose old timer does not change it', async () => {
    await emulated.deploy('ex-c');
    const id = await submitJob(ports, 'ex-c', { ttl: 10_000 });
    await follow();
    const first = timersOf('ex-c');
    expect(await run(first)).toBe(1);
    await retry(ports, { endpoint: 'ex-c', id });
    await follow();
    const second = timersOf('ex-c');
    expect(await run(first)).toBe(0);
    expect((await read('ex-c', id))?.status).toBe('IN_QUEUE');
    expect(await run(second)).toBe(1);
    expect((await read('ex-c', id))?.status).toBe('TIMED_OUT');
  });
});

describe('the sweeper', () => {
  it('starts timers for jobs that expire before the next sweep, so that all end within 10 s', async () => {
    await emulated.deploy('ex-d');
    const deadlines = new Map<string, number>();
    for (let n = 0; n < 12; n += 1) {
      const ttl = 3 * MINUTE + n * 7_000;
      deadlines.set(await submitJob(ports, 'ex-d', { ttl }), now() + ttl);
    }
    await follow();
    expect(timersOf('ex-d')).toEqual([]);

    const endedAt = new Map<string, number>();
    const pending: ExpiryTimer[] = [];
    const until = now() + 10 * MINUTE;
    const record = async () => {
      for (const id of deadlines.keys())
        if (!endedAt.has(id) && (await read('ex-d', id))?.status === 'TIMED_OUT') endedAt.set(id, now());
    };
    for (let next = now() + SWEEP; endedAt.size < deadlines.size && next < until; next += SWEEP) {
      await sweep(ports);
      await record();
      pending.push(...timersOf('ex-d'));
      for (const timer of pending.splice(0).sort((one, other) => one.at - other.at)) {
        if (timer.at < next) await run([timer]).then(record);
        else pending.push(timer);
      }
      emulated.clock.advance(next - now());
    }
    const late = [...deadlines].map(([id, deadline]) => (endedAt.get(id) ?? Number.POSITIVE_INFINITY) - deadline);
    expect(Math.max(...late)).toBeLessThan(LATEST);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
  });

  it('ends a job whose timer was lost, and then removes its entry', async () => {
    await emulated.deploy('ex-e');
    const id = await submitJob(ports, 'ex-e', { ttl: 10_000 });
    await follow();
    expect((await sweep(ports)).ended).toBe(0);
    emulated.clock.advance(10_000);
    // The minute of its entry might not be over.
    expect((await sweep(ports)).ended).toBe(1);
    expect((await read('ex-e', id))?.status).toBe('TIMED_OUT');
    expect(await Array.fromAsync(ports.deadlines.due('ex-e', now() + DAY))).toEqual([]);
  });

  it('reads a job once if it ended before its deadline, and starts no timer', async () => {
    await emulated.deploy('ex-f');
    const id = await submitJob(ports, 'ex-f', { ttl: 10 * MINUTE });
    await follow();
    await cancel(ports, { endpoint: 'ex-f', id });
    const reads: string[] = [];
    const jobs = Object.assign(Object.create(ports.jobs), {
      read: (key: { id: string }) => {
        reads.push(key.id);
        return ports.jobs.read(key as never);
      },
    });
    for (let sweeps = 0; sweeps < 12; sweeps += 1) {
      await sweep(portsWith(ports, { jobs }) as typeof ports);
      emulated.clock.advance(SWEEP);
    }
    expect(reads.filter((read) => read === id)).toHaveLength(1);
    expect(timersOf('ex-f')).toEqual([]);
  });

  it('starts no timer for a running job', async () => {
    await emulated.deploy('ex-g');
    await startJob(ports, 'ex-g', { ttl: 2 * MINUTE, executionTimeout: 2 * MINUTE });
    await follow();
    emulated.clock.advance(MINUTE);
    await sweep(ports);
    expect(timersOf('ex-g')).toEqual([]);
  });
});

describe('a timer', () => {
  it('does not change taken jobs, and ends each job only once', async () => {
    await emulated.deploy('ex-h');
    const [taken, waiting] = [
      await submitJob(ports, 'ex-h', { ttl: 10_000 }),
      await submitJob(ports, 'ex-h', { ttl: 10_000 }),
    ];
    await follow();
    const timers = timersOf('ex-h');
    await takeJob(ports, 'ex-h', taken);
    expect(await run(timers)).toBe(1);
    expect(await run(timers)).toBe(0);
    expect((await read('ex-h', taken))?.status).toBe('IN_PROGRESS');
    expect((await read('ex-h', waiting))?.status).toBe('TIMED_OUT');
  });

  it('does not end a job before its deadline, even if the clock of the timer is wrong', async () => {
    await emulated.deploy('ex-i');
    const id = await submitJob(ports, 'ex-i', { ttl: 10_000 });
    emulated.clock.advance(9_999);
    expect(await expire(ports, { endpoint: 'ex-i', jobs: [id] })).toBe(0);
    emulated.clock.advance(1);
    expect(await expire(ports, { endpoint: 'ex-i', jobs: [id] })).toBe(1);
  });

  it('stores a purged job as purged, which has no webhook', async () => {
    await emulated.deploy('ex-j');
    const id = await submitJob(ports, 'ex-j', { ttl: 10_000 });
    await follow();
    const timers = timersOf('ex-j');
    await purgeQueue(ports, 'ex-j');
    await run(timers);
    expect(await read('ex-j', id)).toMatchObject({ status: 'CANCELLED', code: 'PURGED' });
  });

  it('changes nothing if the endpoint was removed', async () => {
    const endpoint = await emulated.deploy('ex-k');
    const id = await submitJob(ports, 'ex-k', { ttl: 10_000 });
    emulated.clock.advance(HOUR);
    await emulated.undeploy(endpoint);
    expect(await expire(ports, { endpoint: 'ex-k', jobs: [id] })).toBe(0);
  });
});

describe('the start of timers', () => {
  it('divides jobs among timers, each with at most the number of jobs that fits into one call', async () => {
    const jobs = Array.from({ length: 2 * expiryTimer.jobs + 1 }, (_, n) => ({ ...queuedJob(now()), id: `j${n}` }));
    await startTimers(ports.expiryTimers, jobs, now());
    expect(timersOf('echo').map(({ jobs: named }) => named.length)).toEqual([expiryTimer.jobs, expiryTimer.jobs, 1]);
  });

  it('logs a timer that cannot be started, and does not fail', async () => {
    const warnings: object[] = [];
    const timers = createExpiryTimers({ warn: (_, details) => warnings.push(details) });
    process.env.EXPIRY_MACHINE = '';
    await startTimers(timers, [queuedJob(now())], now());
    expect(warnings).toEqual([{ endpoint: 'echo', error: expect.any(Error) }]);
  });
});
