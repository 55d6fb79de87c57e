import { beforeEach, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { record } from '../../core/ledger/record.ts';
import { ENDPOINT_CACHE, HOUR, LEASE, MINUTE, SECOND, START_LIMIT } from '../../core/limits.ts';
import { type Measured, metricValuesOf } from '../../core/sweeper/measure.ts';
import { sweep } from '../../core/sweeper/sweep.ts';
import { finishJob, startJob, submitJob } from '../jobs/scripted-job.ts';
import { noReleases } from '../releases/no-releases.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const portsOf = () => portsWith(emulated.ports, { ...noReleases(), services: recordServices() });
let ports: ReturnType<typeof portsOf>;

beforeEach(() => {
  ports = portsOf();
});

/** @returns the measurement of the endpoint after the ledger has counted all changes and the caches have expired */
async function measured(endpoint: string): Promise<Measured | undefined> {
  await record(ports, await emulated.changes());
  emulated.clock.advance(ENDPOINT_CACHE);
  return (await sweep(ports)).measured[endpoint];
}

describe('the measurement of a sweep', () => {
  it('has the age of the oldest normal job and the number of waiting jobs', async () => {
    await emulated.deploy('me-a');
    await submitJob(ports, 'me-a', { lowPriority: true });
    emulated.clock.advance(MINUTE);
    await submitJob(ports, 'me-a');
    emulated.clock.advance(5 * MINUTE);
    await submitJob(ports, 'me-a');
    const { oldestSeconds = 0, waiting } = (await measured('me-a')) ?? {};
    expect(waiting).toBe(3);
    // The age counts from the end of the 10 s in which the job was submitted.
    expect(oldestSeconds).toBeGreaterThanOrEqual(290);
    expect(oldestSeconds).toBeLessThanOrEqual(300 + ENDPOINT_CACHE / SECOND);
  });

  it('is taken although a later step of the sweep fails, and its failure stops no later step', async () => {
    await emulated.deploy('me-b');
    const job = await startJob(ports, 'me-b', {}, 'w1');
    const { clock } = emulated;
    await ports.workers.beat({
      endpoint: 'me-b',
      worker: 'w1',
      jobs: [job.id],
      endsAt: clock.now() + LEASE,
      removeAfter: 1,
      readySince: 1,
    });
    await submitJob(ports, 'me-b');
    await record(ports, await emulated.changes());
    clock.advance(LEASE + 1);
    const refused = new Error('ThrottlingException');
    const fail = () => Promise.reject(refused);
    const swept = await sweep(portsWith(ports, { services: { ...ports.services, desiredOf: fail } }) as typeof ports);
    expect(swept.measured).toHaveProperty('me-b.waiting', 1);
    const blind = await sweep(portsWith(ports, { arrivals: { ...ports.arrivals, earliest: fail } }));
    expect([blind.failed, blind.measured]).toMatchObject([{ 'me-b': refused }, {}]);
    expect(await ports.jobs.read(job)).toMatchObject({ status: 'IN_QUEUE' });
  });

  it('counts a missing worker once it is overdue', async () => {
    await emulated.deploy('me-c');
    await submitJob(ports, 'me-c');
    expect(await measured('me-c')).toMatchObject({ waiting: 1, missing: 0 });
    emulated.clock.advance(START_LIMIT);
    expect(await measured('me-c')).toMatchObject({ waiting: 1, missing: 1 });
  });

  it('has the jobs that have ended and failed since the last one, once', async () => {
    await emulated.deploy('me-d');
    await finishJob(ports, 'me-d', { output: '1' });
    // These jobs can have ended long before the first measurement.
    expect(await measured('me-d')).toMatchObject({ ended: 0, failed: 0 });
    await finishJob(ports, 'me-d', { output: '2' });
    await finishJob(ports, 'me-d', { error: 'no' });
    await startJob(ports, 'me-d');
    expect(await measured('me-d')).toMatchObject({ running: 1, ended: 2, failed: 1 });
    expect(await measured('me-d')).toMatchObject({ running: 1, ended: 0, failed: 0 });
  });

  it('has the jobs of an hour without a sweep, and each job in one of two sweeps at the same time', async () => {
    await emulated.deploy('me-e');
    await measured('me-e');
    for (let n = 0; n < 3; n += 1) await finishJob(ports, 'me-e', { error: 'no' });
    await record(ports, await emulated.changes());
    emulated.clock.advance(HOUR);
    const both = await Promise.all([sweep(ports), sweep(ports)]);
    const failed = both.map((swept) => swept.measured['me-e']?.failed);
    expect(failed.toSorted()).toEqual([0, 3]);
  });

  it('writes nothing while an endpoint is idle', async () => {
    await emulated.deploy('me-f');
    await measured('me-f');
    const fail = () => Promise.reject(new Error('The sweep has written.'));
    const silent = portsWith(ports, { endpoints: { ...ports.endpoints, saveCountedEnds: fail } });
    expect((await sweep(silent)).measured['me-f']).toMatchObject({ ended: 0 });
  });
});

describe('the values of a minute', () => {
  const idle: Measured = {
    oldestSeconds: 0,
    waiting: 0,
    running: 0,
    workers: 0,
    missing: 0,
    ended: 0,
    failed: 0,
    isRolledBack: false,
  };

  it('do not exist if nothing happens', () => {
    expect(metricValuesOf({ ...idle, workers: 2 }, 'few')).toEqual({});
    expect(metricValuesOf(idle, 'all')).toEqual({});
  });

  it('have only that of a release that is rolled back if nothing else happens', () => {
    expect(metricValuesOf({ ...idle, isRolledBack: true }, 'few')).toEqual({ rolledBack: 1 });
  });

  it('have the spent percentage of a budget beside others only', () => {
    expect(metricValuesOf({ ...idle, budgetUsed: 85 }, 'few')).toEqual({});
    expect(metricValuesOf({ ...idle, waiting: 1, budgetUsed: 85 }, 'few')).toMatchObject({
      waiting: 1,
      budgetUsed: 85,
    });
  });

  it.each(['waiting', 'running', 'missing', 'ended'] as const)('exist if a number of %s is not zero', (name) => {
    const { running: _, workers: __, isRolledBack: ___, ...values } = { ...idle, [name]: 1 };
    expect(metricValuesOf({ ...idle, [name]: 1 }, 'few')).toEqual(values);
  });

  it('have the running jobs and the workers only with the choice `all`, also if the workers are idle', () => {
    expect(metricValuesOf({ ...idle, running: 3, workers: 2 }, 'all')).toMatchObject({ running: 3, workers: 2 });
    expect(metricValuesOf({ ...idle, workers: 2 }, 'all')).toMatchObject({ running: 0, workers: 2, waiting: 0 });
  });

  it('do not exist with the choice `none`', () => {
    const busy = { ...idle, waiting: 1, running: 2, ended: 3, failed: 1, isRolledBack: true, budgetUsed: 85 };
    expect(metricValuesOf(busy, 'none')).toEqual({});
  });
});
