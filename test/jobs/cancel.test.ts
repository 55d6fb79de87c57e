import { describe, expect, it } from '@jest/globals';
import { cancel } from '../../core/jobs/cancel.ts';
import { REPORT_GRACE, retention } from '../../core/limits.ts';
import { EndpointNotFound, JobExpired, JobNotFound } from '../../core/requests/errors.ts';
import { status } from '../../core/status/status.ts';
import { run } from '../../core/submission/submit.ts';
import { finish } from '../../core/workers/report.ts';
import { take } from '../../core/workers/take.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { finishJob, startJob, submitJob } from './scripted-job.ts';

const emulated = useEmulatedDeployment();
const { ports } = emulated;

const recordOf = async (endpoint: string, id: string) => JSON.parse(String(await status(ports, { endpoint, id })));

describe('cancel', () => {
  it('ends a waiting job, which a worker can no longer take', async () => {
    await emulated.deploy('ca-a');
    const id = await submitJob(ports, 'ca-a');
    expect(await cancel(ports, { endpoint: 'ca-a', id })).toEqual({ id, status: 'CANCELLED' });
    expect(await recordOf('ca-a', id)).toMatchObject({ status: 'CANCELLED', code: 'CANCELLED', attempts: 0 });
    const message = { endpoint: 'ca-a', job: id, attempt: 0, generation: 0 };
    expect(await take(ports, 'w1', message)).toEqual({ outcome: 'stale' });
  });

  it('ends a running job immediately, and a later report from its worker changes nothing', async () => {
    await emulated.deploy('ca-b');
    const job = await startJob(ports, 'ca-b');
    expect(await cancel(ports, job)).toEqual({ id: job.id, status: 'CANCELLED' });
    expect(await finish(ports, job, { output: '"late"' })).toBe(false);
    const record = await recordOf('ca-b', job.id);
    expect(record.status).toBe('CANCELLED');
    expect(record).not.toHaveProperty('output');
  });

  it('returns the final status, and changes nothing, if the job has ended', async () => {
    await emulated.deploy('ca-c');
    const id = await finishJob(ports, 'ca-c', { output: '1' });
    expect(await cancel(ports, { endpoint: 'ca-c', id })).toEqual({ id, status: 'COMPLETED' });
    expect(await recordOf('ca-c', id)).toMatchObject({ status: 'COMPLETED', output: 1 });
  });

  it('ends the job of another owner', async () => {
    await emulated.deploy('ca-owner');
    const { id } = await run(ports, { endpoint: 'ca-owner', owner: 'bob', body: Buffer.from('{"input":{}}') });
    expect((await ports.jobs.read({ endpoint: 'ca-owner', id }))?.owner).toBe('bob');
    // The authorizer has checked the key, and this operation does not compare owners.
    expect(await cancel(ports, { endpoint: 'ca-owner', id })).toEqual({ id, status: 'CANCELLED' });
  });

  it('changes nothing if it is repeated', async () => {
    await emulated.deploy('ca-d');
    const id = await submitJob(ports, 'ca-d');
    await cancel(ports, { endpoint: 'ca-d', id });
    const before = await ports.jobs.read({ endpoint: 'ca-d', id });
    emulated.clock.advance(1_000);
    expect(await cancel(ports, { endpoint: 'ca-d', id })).toEqual({ id, status: 'CANCELLED' });
    expect(await ports.jobs.read({ endpoint: 'ca-d', id })).toEqual(before);
  });

  it('does not cancel a job after its ttl or deadline, although no sweep has stored its end', async () => {
    await emulated.deploy('ca-e');
    const waiting = await submitJob(ports, 'ca-e', { ttl: 10_000 });
    const running = await startJob(ports, 'ca-e', { executionTimeout: 10_000 - REPORT_GRACE });
    emulated.clock.advance(9_999);
    expect((await recordOf('ca-e', waiting)).status).toBe('IN_QUEUE');
    emulated.clock.advance(1);
    expect(await cancel(ports, { endpoint: 'ca-e', id: waiting })).toEqual({ id: waiting, status: 'TIMED_OUT' });
    emulated.clock.advance(1);
    expect(await cancel(ports, running)).toEqual({ id: running.id, status: 'TIMED_OUT' });
  });

  it('succeeds until the last millisecond of the ttl, or of the deadline and grace', async () => {
    await emulated.deploy('ca-f');
    const waiting = await submitJob(ports, 'ca-f', { ttl: 10_000 });
    emulated.clock.advance(9_999);
    expect(await cancel(ports, { endpoint: 'ca-f', id: waiting })).toEqual({ id: waiting, status: 'CANCELLED' });
    const running = await startJob(ports, 'ca-f', { executionTimeout: 6_000 });
    emulated.clock.advance(6_000 + REPORT_GRACE);
    expect(await cancel(ports, running)).toEqual({ id: running.id, status: 'CANCELLED' });
  });

  it('loses or wins against a simultaneous report from the worker, and both callers see the result', async () => {
    await emulated.deploy('ca-g');
    for (let round = 0; round < 20; round += 1) {
      const job = await startJob(ports, 'ca-g');
      const [answer, counts] = await Promise.all([cancel(ports, job), finish(ports, job, { output: '1' })]);
      const { status: stored } = await recordOf('ca-g', job.id);
      expect(answer.status).toBe(stored);
      expect(counts).toBe(stored === 'COMPLETED');
    }
  });

  it('fails with 404 for a job that does not exist or has expired', async () => {
    await emulated.deploy('ca-h');
    const id = await finishJob(ports, 'ca-h', { output: '1' });
    await expect(cancel(ports, { endpoint: 'nowhere', id })).rejects.toThrow(EndpointNotFound);
    await expect(cancel(ports, { endpoint: 'ca-h', id: '0'.repeat(36) })).rejects.toThrow(JobNotFound);
    emulated.clock.advance(retention.run);
    await expect(cancel(ports, { endpoint: 'ca-h', id })).rejects.toThrow(JobExpired);
  });
});
