import { describe, expect, it } from '@jest/globals';
import { purgeQueue } from '../../core/jobs/purge-queue.ts';
import { LEASE, NAMED_AFTER, REPORT_GRACE } from '../../core/limits.ts';
import { run } from '../../core/submission/submit.ts';
import { finish } from '../../core/workers/report.ts';
import { rescue } from '../../core/workers/rescue.ts';
import { take } from '../../core/workers/take.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { ports } = emulated;

async function submit(endpoint: string, policy = {}) {
  await emulated.deploy(endpoint);
  const { id } = await run(ports, {
    endpoint,
    owner: 'ada',
    body: Buffer.from(JSON.stringify({ input: { a: 1 }, policy })),
  });
  return { endpoint, job: id, attempt: 0, generation: 0 };
}

const beat = (endpoint: string, worker: string) =>
  ports.workers.beat({ endpoint, worker, jobs: [], endsAt: ports.clock.now() + LEASE, removeAfter: 1, readySince: 1 });

async function taken(worker: string, message: Awaited<ReturnType<typeof submit>>) {
  const result = await take(ports, worker, message);
  if (result.outcome !== 'taken') throw new Error(`The job is ${result.outcome}.`);
  return result.job;
}

describe('take', () => {
  it('starts the job for only one of many workers', async () => {
    const message = await submit('ta-a');
    const workers = Array.from({ length: 8 }, (_, n) => `w${n}`);
    await Promise.all(workers.map((worker) => beat('ta-a', worker)));
    const results = await Promise.all(workers.map((worker) => take(ports, worker, message)));
    expect(results.filter(({ outcome }) => outcome === 'taken')).toHaveLength(1);
    expect(results.filter(({ outcome }) => outcome === 'held')).toHaveLength(7);
    expect(await ports.jobs.read({ endpoint: 'ta-a', id: message.job })).toMatchObject({ attempt: 1 });
  });

  it('returns the job of the worker again if the response to the first call was lost', async () => {
    const message = await submit('ta-b');
    await taken('w1', message);
    expect(await taken('w1', message)).toMatchObject({ attempt: 1, worker: 'w1' });
  });

  it('drops messages of jobs that ended, expired, were purged, or never existed', async () => {
    const ended = await submit('ta-c');
    await finish(ports, await taken('w1', ended), { output: '1' });
    expect(await take(ports, 'w2', ended)).toEqual({ outcome: 'stale' });
    expect(await take(ports, 'w2', { ...ended, job: '0'.repeat(36) })).toEqual({ outcome: 'stale' });

    const purged = await submit('ta-c2');
    await purgeQueue(ports, 'ta-c2');
    expect(await take(ports, 'w1', purged)).toEqual({ outcome: 'stale' });
    expect(await ports.jobs.read({ endpoint: 'ta-c2', id: purged.job })).toMatchObject({ attempt: 0 });

    const expired = await submit('ta-c3', { ttl: 10_000 });
    emulated.clock.advance(10_000);
    expect(await take(ports, 'w1', expired)).toEqual({ outcome: 'stale' });
    // A delayed take can no longer start the job.
    expect(await ports.jobs.read({ endpoint: 'ta-c3', id: expired.job })).toMatchObject({ status: 'TIMED_OUT' });
  });

  it('does not take a job from its worker before the lease has ended', async () => {
    const message = await submit('ta-d');
    await beat('ta-d', 'w1');
    await taken('w1', message);
    emulated.clock.advance(LEASE);
    expect(await take(ports, 'w2', message)).toEqual({ outcome: 'held', hidden: LEASE });
    emulated.clock.advance(1);
    expect(await taken('w2', message)).toMatchObject({ worker: 'w2', attempt: 2, rescues: 1 });
  });

  it('ends a job after three lost workers', async () => {
    const message = await submit('ta-e');
    for (const worker of ['w1', 'w2', 'w3']) await taken(worker, message);
    expect(await take(ports, 'w4', message)).toEqual({ outcome: 'stale' });
    expect(await ports.jobs.read({ endpoint: 'ta-e', id: message.job })).toMatchObject({
      status: 'FAILED',
      code: 'WORKER_LOST',
      attempt: 3,
    });
  });
});

describe('a take whose response was lost', () => {
  it('is detected if beats of the worker do not contain the job', async () => {
    const message = await submit('ta-f');
    await taken('w1', message);
    emulated.clock.advance(NAMED_AFTER);
    await beat('ta-f', 'w1');
    expect(await take(ports, 'w2', message)).toMatchObject({ outcome: 'held' });
    emulated.clock.advance(1);
    await beat('ta-f', 'w1');
    expect(await taken('w2', message)).toMatchObject({ worker: 'w2', attempt: 2 });
  });
});

describe('rescue', () => {
  it('ends a job that ran past its deadline', async () => {
    const job = await taken('w1', await submit('re-b', { executionTimeout: 6_000 }));
    emulated.clock.advance(6_001 + REPORT_GRACE);
    expect(await rescue(ports, job, 0, 0)).toBe(false);
    expect(await ports.jobs.read(job)).toMatchObject({ status: 'TIMED_OUT', code: 'EXECUTION_TIMEOUT' });
  });

  it('changes nothing if an earlier call succeeded', async () => {
    const job = await taken('w1', await submit('re-c'));
    expect(await rescue(ports, job, 0, 0)).toBe(true);
    expect(await rescue(ports, job, 0, 0)).toBe(true);
    expect(await ports.jobs.read(job)).toMatchObject({ status: 'IN_QUEUE', rescues: 1 });
  });

  it('assigns the job to the current generation, so that a purge during its run does not cancel it', async () => {
    const message = await submit('re-d');
    await taken('w1', message);
    await purgeQueue(ports, 're-d');
    expect(await taken('w2', message)).toMatchObject({ attempt: 2, generation: 1 });
  });

  it('does nothing while the lease lasts', async () => {
    const job = await taken('w1', await submit('re-a'));
    expect(await rescue(ports, job, ports.clock.now(), 0)).toBe(false);
    expect(await ports.jobs.read(job)).toMatchObject({ status: 'IN_PROGRESS', worker: 'w1' });
    expect(await rescue(ports, job, ports.clock.now() - 1, 0)).toBe(true);
    expect(await ports.jobs.read(job)).toMatchObject({ status: 'IN_QUEUE', attempt: 1, rescues: 1 });
  });
});

describe('finish', () => {
  it('stores the result once, and accepts a repeated report from the same worker', async () => {
    const job = await taken('w1', await submit('fi-a'));
    expect(await finish(ports, job, { output: '1' })).toBe(true);
    expect(await finish(ports, job, { output: '1' })).toBe(true);
    expect(await ports.jobs.read({ endpoint: 'fi-a', id: job.id })).toMatchObject({ output: { inline: '1' } });
  });

  it('changes nothing for a worker that lost the job', async () => {
    const message = await submit('fi-b');
    const lost = await taken('w1', message);
    const current = await taken('w2', message);
    expect(await finish(ports, lost, { output: '"late"' })).toBe(false);
    expect(await finish(ports, current, { output: '"in time"' })).toBe(true);
    expect(await finish(ports, lost, { error: 'late' })).toBe(false);
    expect(await ports.jobs.read({ endpoint: 'fi-b', id: message.job })).toMatchObject({
      status: 'COMPLETED',
      output: { inline: '"in time"' },
    });
  });

  it('does not count after the job has failed because its worker was lost', async () => {
    const message = await submit('fi-lost');
    for (const worker of ['w1', 'w2']) await taken(worker, message);
    const job = await taken('w3', message);
    await rescue(ports, job, ports.clock.now() - 1, 0);
    expect(await ports.jobs.read(job)).toMatchObject({ status: 'FAILED', code: 'WORKER_LOST', worker: 'w3' });
    expect(await finish(ports, job, { output: '1' })).toBe(false);
  });

  it('changes nothing after the deadline and its grace', async () => {
    const job = await taken('w1', await submit('fi-c', { executionTimeout: 6_000 }));
    emulated.clock.advance(8_001);
    expect(await finish(ports, job, { output: '1' })).toBe(false);
  });

  it('ends the job as FAILED with the size of the output if it is too large', async () => {
    const job = await taken('w1', await submit('fi-d'));
    expect(await finish(ports, job, { output: JSON.stringify('x'.repeat(20 * 1024 * 1024)) })).toBe(true);
    expect(await ports.jobs.read({ endpoint: 'fi-d', id: job.id })).toMatchObject({
      status: 'FAILED',
      code: 'OUTPUT_TOO_LARGE',
      error: { inline: expect.stringContaining('20971522 bytes') },
    });
  });

  it('ends the job as COMPLETED without output if the handler returned none', async () => {
    const job = await taken('w1', await submit('fi-e'));
    await finish(ports, job, {});
    const stored = await ports.jobs.read({ endpoint: 'fi-e', id: job.id });
    expect(stored?.status).toBe('COMPLETED');
    expect(stored).not.toHaveProperty('output');
  });
});
