import { beforeEach, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { record } from '../../core/ledger/record.ts';
import { ENDPOINT_CACHE, LEASE, MINUTE, SECOND, START_LIMIT, SWEEP } from '../../core/limits.ts';
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

  it('has the numbers of all jobs that have ended and failed', async () => {
    await emulated.deploy('me-d');
    await finishJob(ports, 'me-d', { output: '1' });
    await finishJob(ports, 'me-d', { output: '2' });
    await finishJob(ports, 'me-d', { error: 'no' });
    await startJob(ports, 'me-d');
    expect(await measured('me-d')).toMatchObject({ running: 1, everEnded: 3, everFailed: 1 });
  });
});

describe('the values of a minute', () => {
  const idle: Measured = {
    at: 10 * MINUTE,
    oldestSeconds: 0,
    waiting: 0,
    running: 0,
    missing: 0,
    everEnded: 7,
    everFailed: 2,
  };
  const next = { ...idle, at: idle.at + SWEEP };

  it('do not exist if nothing happens', () => {
    expect([metricValuesOf(undefined, idle), metricValuesOf(idle, next)]).toEqual([undefined, undefined]);
  });

  it.each(['waiting', 'running', 'missing'] as const)('exist if a number of %s is not zero', (name) => {
    expect(metricValuesOf(undefined, { ...idle, [name]: 1 })).toMatchObject({ ended: 0, failed: 0 });
  });

  it('count the jobs that have ended since the previous sweep', () => {
    const values = metricValuesOf(idle, { ...next, everEnded: 12, everFailed: 3 });
    expect(values).toEqual({ oldestSeconds: 0, waiting: 0, ended: 5, failed: 1, missing: 0 });
  });

  it('count no jobs of earlier minutes if the process missed a sweep', () => {
    expect(metricValuesOf(idle, { ...next, at: idle.at + 2 * SWEEP, everEnded: 12 })).toBeUndefined();
  });
});
