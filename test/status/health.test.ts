import { describe, expect, it } from '@jest/globals';
import { record } from '../../core/ledger/record.ts';
import { ENDPOINT_CACHE, LEASE, START_LIMIT } from '../../core/limits.ts';
import { EndpointNotFound } from '../../core/requests/errors.ts';
import { health } from '../../core/status/health.ts';
import { retry } from '../../core/submission/retry.ts';
import { finish } from '../../core/workers/report.ts';
import { rescue } from '../../core/workers/rescue.ts';
import { finishJob, startJob, submitJob, takeJob } from '../jobs/scripted-job.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();

/** Counts all changes as the ledger function does, and lets every cache expire. */
async function follow() {
  await record({ ...emulated.ports, services: recordServices() }, await emulated.changes());
  emulated.clock.advance(ENDPOINT_CACHE);
}

const beat = (endpoint: string, worker: string, jobs: string[], endsAt: number) =>
  emulated.ports.workers.beat({ endpoint, worker, jobs, endsAt, removeAfter: 1, readySince: 1 });

describe('health', () => {
  it('counts jobs as the ledger does, and workers by their leases', async () => {
    const { ports, clock } = emulated;
    await emulated.deploy('he-a');
    await submitJob(ports, 'he-a');
    await submitJob(ports, 'he-a', { lowPriority: true });
    await finishJob(ports, 'he-a', { output: '1' });
    await finishJob(ports, 'he-a', { error: 'no' });
    const running = await startJob(ports, 'he-a');
    await beat('he-a', 'w1', [running.id], clock.now() + LEASE);
    await beat('he-a', 'w2', [], clock.now() + LEASE);
    await beat('he-a', 'lost', [], clock.now() - 1);
    await follow();

    expect(await health(ports, 'he-a')).toEqual({
      jobs: { completed: 1, failed: 1, inProgress: 1, inQueue: 2, retried: 0 },
      workers: { idle: 1, initializing: 0, ready: 2, running: 1, throttled: 0, unhealthy: 1 },
      waitReason: 'WORKER_STARTING',
    });
  });

  it('counts how often jobs were requeued from lost workers or retried by their clients', async () => {
    const { ports } = emulated;
    await emulated.deploy('he-c');
    const failed = await finishJob(ports, 'he-c', { error: 'no' });
    await retry(ports, { endpoint: 'he-c', id: failed });
    await finish(ports, await takeJob(ports, 'he-c', failed), { error: 'no' });
    await retry(ports, { endpoint: 'he-c', id: failed });
    await rescue(ports, await startJob(ports, 'he-c'), 0, 0);
    await follow();
    expect((await health(ports, 'he-c')).jobs).toMatchObject({ inQueue: 2, failed: 2, retried: 3 });
  });

  it('distinguishes starting workers from workers without capacity', async () => {
    const { ports, clock } = emulated;
    await emulated.deploy('he-b');
    await submitJob(ports, 'he-b');
    await submitJob(ports, 'he-b');
    await follow();
    await beat('he-b', 'w1', [], clock.now() + START_LIMIT + LEASE);
    expect((await health(ports, 'he-b')).workers).toMatchObject({ ready: 1, initializing: 1, throttled: 0 });
    clock.advance(START_LIMIT);
    expect((await health(ports, 'he-b')).workers).toMatchObject({ ready: 1, initializing: 0, throttled: 1 });
  });

  it.each<[string, number, number]>([
    ['a job that a worker has just taken and that is not in a lease yet', 0, 1],
    ['a job that has just ended and is still in a lease', 1, 0],
  ])('returns counts of workers that are consistent with the jobs: %s', async (_, named, inProgress) => {
    const { ports, clock } = emulated;
    const endpoint = `he-agrees-${inProgress}`;
    await emulated.deploy(endpoint);
    const ids =
      inProgress > 0 ? [(await startJob(ports, endpoint)).id] : [await finishJob(ports, endpoint, { output: '1' })];
    await beat(endpoint, 'w1', named > 0 ? ids : [], clock.now() + LEASE);
    await beat(endpoint, 'w2', [], clock.now() + LEASE);
    await follow();
    const { jobs, workers } = await health(ports, endpoint);
    expect(jobs.inProgress).toBe(inProgress);
    expect(workers).toMatchObject({ running: inProgress, idle: 2 - inProgress, ready: 2 });
  });

  it('counts a worker whose protection ECS refuses as throttled, unless it has a job', async () => {
    const { ports, clock } = emulated;
    await emulated.deploy('he-refused');
    const { id } = await startJob(ports, 'he-refused');
    const lease = {
      endpoint: 'he-refused',
      endsAt: clock.now() + LEASE,
      removeAfter: 1,
      readySince: 1,
      unprotected: 'WAITS',
    } as const;
    await ports.workers.beat({ ...lease, worker: 'w1', jobs: [id] });
    await ports.workers.beat({ ...lease, worker: 'w2', jobs: [] });
    await follow();
    expect((await health(ports, 'he-refused')).workers).toEqual({
      idle: 0,
      initializing: 0,
      ready: 1,
      running: 1,
      throttled: 1,
      unhealthy: 0,
    });
  });

  it('returns the concurrency of workers and the setting for it, if the endpoint does not set it', async () => {
    const { ports, clock } = emulated;
    await emulated.deploy('he-asks');
    await emulated.deploy('he-set', { concurrency: 2 });
    const lease = { jobs: [], worker: 'w1', endsAt: clock.now() + LEASE, removeAfter: 1, readySince: 1 };
    expect(await health(ports, 'he-asks')).not.toHaveProperty('concurrency');
    for (const endpoint of ['he-asks', 'he-set']) await ports.workers.beat({ ...lease, endpoint, asks: 30 });
    await follow();
    expect((await health(ports, 'he-asks')).concurrency).toEqual({
      jobs: 30,
      detail: expect.stringContaining('Set `concurrency: 30` to make it explicit'),
    });
    expect(await health(ports, 'he-set')).not.toHaveProperty('concurrency');
  });

  it('has the reason of the waiting normal jobs, and that of low-priority jobs if only these wait', async () => {
    const { ports, clock } = emulated;
    await emulated.deploy('he-waits', { maxWorkers: 1 });
    const running = await startJob(ports, 'he-waits');
    await beat('he-waits', 'w1', [running.id], clock.now() + LEASE);
    await follow();
    expect(await health(ports, 'he-waits')).not.toHaveProperty('waitReason');
    await submitJob(ports, 'he-waits', { lowPriority: true });
    await follow();
    expect(await health(ports, 'he-waits')).toMatchObject({ waitReason: 'WORKERS_BUSY' });
    clock.advance(LEASE);
    await follow();
    expect(await health(ports, 'he-waits')).toMatchObject({ waitReason: 'LOW_PRIORITY' });
    await submitJob(ports, 'he-waits');
    await follow();
    expect(await health(ports, 'he-waits')).toMatchObject({ waitReason: expect.not.stringMatching('LOW_PRIORITY') });
  });

  it('fails with 404 for an endpoint that is not deployed', async () => {
    await expect(health(emulated.ports, 'nowhere')).rejects.toThrow(EndpointNotFound);
  });
});
