import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createDocumentClient } from '../../aws/clients.ts';
import { portsWith } from '../../aws/ports.ts';
import { zeroCounters } from '../../core/endpoints/counts.ts';
import { observe } from '../../core/fleet/observe.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import { record } from '../../core/ledger/record.ts';
import { BEAT, LEASE, MINUTE, RECONCILE, RECONCILE_AGAIN, REPORT_GRACE } from '../../core/limits.ts';
import { sweepDeadlines } from '../../core/sweeper/deadlines.ts';
import { sweep } from '../../core/sweeper/sweep.ts';
import { requeueJobsOf } from '../../core/workers/lost.ts';
import { taskEvent } from '../fleet/events.ts';
import { finishJob, startJob, submitJob, takeJob } from '../jobs/scripted-job.ts';
import { noReleases } from '../releases/no-releases.ts';
import { withConstantSignature } from '../support/constant-signature.ts';
import type { EmulatedDeployment } from '../support/emulated-deployment.ts';
import { type RecordedServices, recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
let ports: EmulatedDeployment['ports'] & ReturnType<typeof noReleases> & { services: RecordedServices };

beforeEach(() => {
  ports = portsWith(emulated.ports, { ...noReleases(), services: recordServices() });
});

/** @returns ports with the given parts replaced */
const withParts = (parts: object) => portsWith(ports, parts) as typeof ports;

const follow = async () => record(ports, await emulated.changes());
const read = (endpoint: string, id: string) => ports.jobs.read({ endpoint, id });
const beat = (endpoint: string, worker: string, jobs: string[]) =>
  ports.workers.beat({ endpoint, worker, jobs, endsAt: emulated.clock.now() + LEASE, removeAfter: 1, readySince: 1 });

describe('endpoints', () => {
  it('get the jobs of lost workers back even if ECS does not say how many workers their services have', async () => {
    await emulated.deploy('sw-ecs');
    const job = await startJob(ports, 'sw-ecs', {}, 'w1');
    await beat('sw-ecs', 'w1', [job.id]);
    emulated.clock.advance(LEASE + 1);
    const refused = new Error('ThrottlingException');
    const desiredOf = () => Promise.reject(refused);
    const { failed } = await sweep(withParts({ services: { ...ports.services, desiredOf } }));
    expect(failed).toMatchObject({ 'sw-ecs': refused });
    expect(await read('sw-ecs', job.id)).toMatchObject({ status: 'IN_QUEUE' });
  });

  it('are swept even if another endpoint is slow, or if one of their leases is invalid', async () => {
    for (const endpoint of ['sw-long', 'sw-next']) await emulated.deploy(endpoint);
    const job = await startJob(ports, 'sw-next', {}, 'w1');
    await beat('sw-next', 'w1', [job.id]);
    const junk = new PutCommand({
      TableName: 'WORKERS_TABLE',
      Item: { endpoint: 'sw-next', worker: 'a', endsAt: 'x' },
    });
    await createDocumentClient(withConstantSignature).send(junk);
    emulated.clock.advance(LEASE + 1);
    const over = Promise.withResolvers<void>();
    const list = async (endpoint: string) => {
      if (endpoint === 'sw-long') await over.promise;
      return ports.workers.list(endpoint);
    };
    const send = async (...args: Parameters<typeof ports.jobQueues.send>) => {
      await ports.jobQueues.send(...args);
      over.resolve();
    };
    const slow = withParts({
      workers: Object.assign(Object.create(ports.workers), { list }),
      jobQueues: Object.assign(Object.create(ports.jobQueues), { send }),
    });
    const { requeued, failed } = await sweep(slow);
    expect([requeued, failed]).toEqual([1, {}]);
    expect(await read('sw-next', job.id)).toMatchObject({ status: 'IN_QUEUE' });
    for (const endpoint of ['sw-long', 'sw-next']) await ports.endpoints.remove(endpoint);
  });
});

describe('lost workers', () => {
  it('lose their jobs when their lease has ended: each job is requeued, with a new message', async () => {
    const [normalQueueUrl] = (await emulated.deploy('sw-a')).normalQueueUrls;
    const job = await startJob(ports, 'sw-a', {}, 'w1');
    await emulated.nextMessage(normalQueueUrl);
    await beat('sw-a', 'w1', [job.id]);
    emulated.clock.advance(LEASE);
    expect((await sweep(ports)).requeued).toBe(0);
    emulated.clock.advance(1);
    expect((await sweep(ports)).requeued).toBe(1);
    expect(await read('sw-a', job.id)).toMatchObject({ status: 'IN_QUEUE', attempt: 1, rescues: 1 });
    expect(await emulated.nextMessage(normalQueueUrl)).toMatchObject({ job: job.id });
    expect(await ports.workers.list('sw-a')).toEqual([]);
  });

  it('keep jobs that they took under a newer lease than the sweep read', async () => {
    await emulated.deploy('sw-o');
    await beat('sw-o', 'w1', ['x']);
    emulated.clock.advance(LEASE + 1);
    const job = await startJob(ports, 'sw-o', {}, 'w1');
    const lease = await ports.workers.read('sw-o', 'w1');
    if (!lease) throw new Error('The worker has no lease.');
    expect(await requeueJobsOf(ports, { ...lease, jobs: [job.id] })).toBe(0);
    expect(await read('sw-o', job.id)).toMatchObject({ status: 'IN_PROGRESS', attempt: 1 });
  });

  it('do not include a worker that has renewed its lease since the list was read', async () => {
    await emulated.deploy('sw-p');
    const job = await startJob(ports, 'sw-p', {}, 'w1');
    await beat('sw-p', 'w1', [job.id]);
    const old = await ports.workers.list('sw-p');
    emulated.clock.advance(LEASE + 1);
    await beat('sw-p', 'w1', [job.id]);
    const list = async (endpoint: string) => (endpoint === 'sw-p' ? old : ports.workers.list(endpoint));
    const stale = withParts({ workers: Object.assign(Object.create(ports.workers), { list }) });
    expect((await sweep(stale)).requeued).toBe(0);
    expect(await read('sw-p', job.id)).toMatchObject({ status: 'IN_PROGRESS' });
    await ports.workers.remove('sw-p', 'w1');
  });

  it('keep their lease and lose their jobs if they return', async () => {
    await emulated.deploy('sw-b');
    const job = await startJob(ports, 'sw-b', {}, 'w1');
    await beat('sw-b', 'w1', [job.id]);
    emulated.clock.advance(LEASE + 1);
    const late = withParts({
      jobQueues: {
        // The worker returns while its jobs are requeued.
        send: async () => beat('sw-b', 'w1', [job.id]),
      },
    });
    expect((await sweep(late)).requeued).toBe(1);
    expect(await ports.workers.list('sw-b')).toHaveLength(1);
  });

  it('lose only their lease if they no longer hold a job', async () => {
    await emulated.deploy('sw-c');
    await sweep(ports);
    const id = await finishJob(ports, 'sw-c', { output: '1' });
    await beat('sw-c', 'w1', [id, '0'.repeat(36)]);
    emulated.clock.advance(LEASE + 1);
    expect((await sweep(ports)).requeued).toBe(0);
    expect((await read('sw-c', id))?.status).toBe('COMPLETED');
    expect(await ports.workers.list('sw-c')).toEqual([]);
  });

  it('are found immediately when ECS reports that their task has stopped', async () => {
    const [normalQueueUrl] = (await emulated.deploy('sw-d')).normalQueueUrls;
    const job = await startJob(ports, 'sw-d', {}, 'task-1');
    await emulated.nextMessage(normalQueueUrl);
    await beat('sw-d', 'task-1', [job.id]);
    const stopped = (service: string, worker: string) =>
      observe(ports, taskEvent({ service, worker, at: emulated.clock.now() }));
    expect((await stopped('other', 'task-1')).requeued).toBe(0);
    expect((await stopped('sw-d', 'task-2')).requeued).toBe(0);
    expect((await stopped('sw-d', 'task-1')).requeued).toBe(1);
    expect((await stopped('sw-d', 'task-1')).requeued).toBe(0);
    expect((await read('sw-d', job.id))?.status).toBe('IN_QUEUE');
    expect(await emulated.nextMessage(normalQueueUrl)).toMatchObject({ job: job.id });
    expect(await ports.workers.list('sw-d')).toEqual([]);
  });

  it('are found again if their jobs could not be requeued', async () => {
    const [normalQueueUrl] = (await emulated.deploy('sw-e')).normalQueueUrls;
    const job = await startJob(ports, 'sw-e', {}, 'w1');
    await emulated.nextMessage(normalQueueUrl);
    await beat('sw-e', 'w1', [job.id]);
    emulated.clock.advance(LEASE + 1);
    const broken = withParts({
      jobs: Object.assign(Object.create(ports.jobs), { move: () => Promise.reject(new Error('Throttled')) }),
    });
    expect((await sweep(broken)).failed).toHaveProperty('sw-e');
    // The message is already in the queue, so a worker that receives it requeues the job.
    expect(await emulated.nextMessage(normalQueueUrl)).toMatchObject({ job: job.id });
    expect((await sweep(ports)).requeued).toBe(1);
  });
});

describe('deadlines', () => {
  it('end overdue jobs that no client reads, and the counts include these jobs', async () => {
    await emulated.deploy('sw-f');
    const waiting = await submitJob(ports, 'sw-f', { ttl: MINUTE });
    const running = await startJob(ports, 'sw-f', { executionTimeout: MINUTE });
    const cancelled = await submitJob(ports, 'sw-f', { ttl: MINUTE });
    await cancel(ports, { endpoint: 'sw-f', id: cancelled });
    await follow();
    await sweep(ports);
    expect((await read('sw-f', waiting))?.status).toBe('IN_QUEUE');
    emulated.clock.advance(2 * MINUTE + REPORT_GRACE);
    expect((await sweep(ports)).ended).toBe(2);
    expect(await read('sw-f', waiting)).toMatchObject({ status: 'TIMED_OUT', code: 'QUEUE_TTL_EXPIRED' });
    expect(await read('sw-f', running.id)).toMatchObject({ status: 'TIMED_OUT', code: 'EXECUTION_TIMEOUT' });
    expect((await read('sw-f', cancelled))?.status).toBe('CANCELLED');
    expect((await sweep(ports)).ended).toBe(0);
    await follow();
    expect((await ports.endpoints.readNow('sw-f'))?.counts).toEqual({ ...zeroCounters, failed: 2 });
  });

  it('are handled in several sweeps if very many jobs are overdue', async () => {
    await emulated.deploy('sw-g2');
    await emulated.changes();
    for (let batch = 0; batch < 3; batch += 1) {
      await Promise.all(Array.from({ length: 30 }, () => submitJob(ports, 'sw-g2', { ttl: MINUTE })));
      await follow();
    }
    emulated.clock.advance(2 * MINUTE);
    const endpoint = await ports.endpoints.readNow('sw-g2');
    if (!endpoint) throw new Error('The endpoint does not exist.');
    const ended: number[] = [];
    for (let sweeps = 0; sweeps < 4; sweeps += 1) ended.push((await sweepDeadlines(ports, endpoint, 30)).ended);
    expect(ended).toEqual([30, 30, 30, 0]);
  });

  it('start again for a requeued job', async () => {
    await emulated.deploy('sw-g');
    const job = await startJob(ports, 'sw-g', { ttl: 2 * MINUTE });
    await follow();
    emulated.clock.advance(MINUTE);
    await beat('sw-g', 'w1', [job.id]);
    emulated.clock.advance(LEASE + BEAT);
    await sweep(ports);
    await follow();
    emulated.clock.advance(MINUTE);
    await sweep(ports);
    expect((await read('sw-g', job.id))?.status).toBe('IN_QUEUE');
    emulated.clock.advance(2 * MINUTE);
    await sweep(ports);
    expect((await read('sw-g', job.id))?.status).toBe('TIMED_OUT');
  });
});

describe('counters', () => {
  const drift = (endpoint: string, inQueue: number) =>
    ports.ledger.add(`${endpoint}#9`, [
      { sequence: '0'.repeat(40), delta: { ...zeroCounters, inQueue }, arrivals: {} },
    ]);

  const reconciliationOf = async (endpoint: string) => (await ports.endpoints.readNow(endpoint))?.reconciliation;

  /** Sweeps until the counters have been compared with the jobs for the first time. */
  async function compareFirst(): Promise<void> {
    await sweep(ports);
    emulated.clock.advance(RECONCILE_AGAIN);
    await sweep(ports);
  }

  it('are corrected once if they are wrong twice in a row', async () => {
    await emulated.deploy('sw-h');
    await submitJob(ports, 'sw-h');
    await follow();
    await drift('sw-h', 5);
    await compareFirst();
    emulated.clock.advance(RECONCILE_AGAIN - 1);
    expect((await sweep(ports)).corrected).toEqual({});
    emulated.clock.advance(1);
    expect((await sweep(ports)).corrected).toEqual({ 'sw-h': { ...zeroCounters, inQueue: -5 } });
    expect((await ports.endpoints.readNow('sw-h'))?.counts.inQueue).toBe(1);
    expect((await sweep(ports)).corrected).toEqual({});
  });

  it('are not corrected if they are only late', async () => {
    await emulated.deploy('sw-i');
    await emulated.changes();
    await sweep(ports);
    emulated.clock.advance(RECONCILE_AGAIN);
    await submitJob(ports, 'sw-i');
    await sweep(ports);
    expect(await reconciliationOf('sw-i')).toHaveProperty('missing.inQueue', 1);
    await follow();
    emulated.clock.advance(RECONCILE_AGAIN);
    await sweep(ports);
    expect((await ports.endpoints.readNow('sw-i'))?.counts.inQueue).toBe(1);
    expect(await reconciliationOf('sw-i')).not.toHaveProperty('missing.inQueue');
  });

  it('are not corrected if each comparison is late by one job', async () => {
    await emulated.deploy('sw-l');
    await emulated.changes();
    await sweep(ports);
    for (let compared = 0; compared < 4; compared += 1) {
      emulated.clock.advance(RECONCILE_AGAIN);
      await submitJob(ports, 'sw-l');
      expect((await sweep(ports)).corrected).toEqual({});
      await follow();
    }
    expect((await ports.endpoints.readNow('sw-l'))?.counts.inQueue).toBe(4);
  });

  it('are not corrected by a difference that includes a late job', async () => {
    await emulated.deploy('sw-n');
    await emulated.changes();
    await drift('sw-n', 5);
    await compareFirst();
    emulated.clock.advance(RECONCILE_AGAIN);
    await submitJob(ports, 'sw-n');
    expect((await sweep(ports)).corrected).toEqual({});
    await follow();
    expect((await ports.endpoints.readNow('sw-n'))?.counts.inQueue).toBe(6);
  });

  it('are compared with the jobs only when they have not changed for a while', async () => {
    await emulated.deploy('sw-m');
    await emulated.changes();
    await drift('sw-m', 5);
    const compared: string[] = [];
    const jobs: typeof ports.jobs = {
      ...ports.jobs,
      list: (id) => {
        compared.push(id);
        return ports.jobs.list(id);
      },
    };
    for (let sweeps = 0; sweeps < 3; sweeps += 1) {
      await submitJob(ports, 'sw-m');
      await follow();
      await sweep({ ...ports, jobs });
      emulated.clock.advance(RECONCILE_AGAIN);
    }
    expect(compared).not.toContain('sw-m');
    await sweep({ ...ports, jobs });
    expect(compared).toContain('sw-m');
    expect(await reconciliationOf('sw-m')).toHaveProperty('missing.inQueue', -5);
  });

  it('are reconciled once a day', async () => {
    await emulated.deploy('sw-j');
    await compareFirst();
    await drift('sw-j', 2);
    emulated.clock.advance(RECONCILE - 1);
    await sweep(ports);
    expect(await reconciliationOf('sw-j')).not.toHaveProperty('counts');
    emulated.clock.advance(1);
    await compareFirst();
    emulated.clock.advance(RECONCILE_AGAIN);
    expect((await sweep(ports)).corrected).toHaveProperty('sw-j');
  });
});

describe('the number of workers', () => {
  it('is not reduced while a worker runs jobs without protection', async () => {
    await emulated.deploy('sw-un', { minWorkers: 1 });
    await sweep(ports);
    await ports.services.setDesired({ cluster: 'fleet', service: 'sw-un' }, 2);
    const lease = {
      endpoint: 'sw-un',
      worker: 'w1',
      jobs: [],
      endsAt: emulated.clock.now() + LEASE,
      removeAfter: 1,
      readySince: 1,
    };
    await ports.workers.beat({ ...lease, unprotected: 'WORKS' });
    await sweep(ports);
    expect(ports.services.desiredCounts.get('sw-un')).toEqual([1, 2]);
    await ports.workers.beat(lease);
    await sweep(ports);
    expect(ports.services.desiredCounts.get('sw-un')).toEqual([1, 2, 1]);
  });

  it('decreases when workers are idle, and is set again if it was changed in the service', async () => {
    await emulated.deploy('sw-k', { idleTimeout: 5_000 });
    const id = await submitJob(ports, 'sw-k');
    await follow();
    expect(ports.services.desiredCounts.get('sw-k')).toEqual([1]);
    await ports.services.setDesired({ cluster: 'fleet', service: 'sw-k' }, 0);
    await sweep(ports);
    expect(ports.services.desiredCounts.get('sw-k')).toEqual([1, 0, 1]);
    await cancel(ports, { endpoint: 'sw-k', id });
    await follow();
    await sweep(ports);
    expect(ports.services.desiredCounts.get('sw-k')).toEqual([1, 0, 1, 0]);
  });
});

describe('a sweep', () => {
  it('continues with the other endpoints if one fails', async () => {
    await emulated.deploy('sw-x');
    await emulated.deploy('sw-y');
    const job = await startJob(ports, 'sw-y');
    await beat('sw-y', 'w1', [job.id]);
    emulated.clock.advance(LEASE + 1);
    const list = (endpoint: string) =>
      endpoint === 'sw-x' ? Promise.reject(new Error('Throttled')) : ports.workers.list(endpoint);
    const broken = withParts({
      workers: Object.assign(Object.create(ports.workers), { list }),
    });
    const swept = await sweep(broken);
    expect(Object.keys(swept.failed)).toEqual(['sw-x']);
    expect((await read('sw-y', job.id))?.status).toBe('IN_QUEUE');
    expect(await takeJob(ports, 'sw-y', job.id, 'w2')).toMatchObject({ attempt: 2 });
  });
});
