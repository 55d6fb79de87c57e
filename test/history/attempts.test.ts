/** Tests the history of attempts from the changes of the jobs table to the list of a job. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { deployed } from '../../core/endpoints/store.ts';
import { listJobs } from '../../core/history/list-jobs.ts';
import { positionAt } from '../../core/history/store.ts';
import type { JobChange, RunningJob } from '../../core/jobs/job.ts';
import { record } from '../../core/ledger/record.ts';
import { LEASE, MINUTE } from '../../core/limits.ts';
import { retry } from '../../core/submission/retry.ts';
import { sweepLeases } from '../../core/sweeper/sweep.ts';
import type { Lease } from '../../core/workers/lease.ts';
import { requeueJobsOf } from '../../core/workers/lost.ts';
import { finish } from '../../core/workers/report.ts';
import { rescue } from '../../core/workers/rescue.ts';
import { startJob, takeJob } from '../jobs/scripted-job.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const ports = portsWith(emulated.ports, { services: recordServices() });
const { clock } = emulated;

const jobOf = async (id: string) => {
  const { jobs } = JSON.parse(await listJobs(ports, { permitted: ['*'], job: id }));
  return jobs as readonly { readonly earlierAttempts?: readonly object[] }[];
};

const stored = async (endpoint: string) =>
  ports.attemptHistory.read({
    endpoint,
    after: positionAt(0),
    before: positionAt(clock.now() + 1),
    isOldestFirst: true,
    max: 100,
  });

const isoTime = (time: number) => new Date(time).toISOString();

const leaseOf = (endpoint: string, worker: string, job: RunningJob, endsAt: number): Lease => ({
  endpoint,
  worker,
  jobs: [job.id],
  endsAt,
  readySince: null,
  removeAfter: endsAt,
});

/** Starts a job on the worker, which runs it for a minute. */
async function ran(endpoint: string, worker: string, job?: string): Promise<RunningJob> {
  const running =
    job === undefined ? await startJob(ports, endpoint, {}, worker) : await takeJob(ports, endpoint, job, worker);
  clock.advance(MINUTE);
  return running;
}

beforeEach(() => clock.advance(MINUTE));

describe('the history of attempts', () => {
  it('has the worker, the times and the reason of each attempt of a job that was rescued twice, once', async () => {
    await emulated.deploy('at-a', { workerPrice: { hour: 60, region: 'us-east-1', date: '2026-11-01' } });
    const first = await ran('at-a', 'w1');
    await ports.workers.beat(leaseOf('at-a', 'w1', first, clock.now() - 1));
    await sweepLeases(ports, await deployed(ports, 'at-a'));
    const firstEnd = clock.now();
    const second = await ran('at-a', 'w2', first.id);
    await rescue(ports, second, 0, 0, 'GIVEN_UP');
    const secondEnd = clock.now();
    clock.advance(MINUTE);
    await finish(ports, await takeJob(ports, 'at-a', first.id, 'w3'), { output: '1' });
    const changes = await emulated.changes();
    await record(ports, changes);
    await record(ports, changes.slice(-4));

    const row = { endpoint: 'at-a', id: first.id, owner: 'ada' };
    expect(await stored('at-a')).toMatchObject({
      rows: [
        { ...row, attempt: 1, worker: 'w1', startedAt: first.startedAt, endedAt: firstEnd, reason: 'WORKER_LOST' },
        { ...row, attempt: 2, worker: 'w2', startedAt: second.startedAt, endedAt: secondEnd, reason: 'GIVEN_UP' },
      ],
    });
    const earlierAttempts = [
      { attempt: 1, worker: 'w1', reason: 'WORKER_LOST', startedAt: isoTime(first.startedAt) },
      { attempt: 2, worker: 'w2', reason: 'GIVEN_UP', endedAt: isoTime(secondEnd), workerTime: MINUTE, dollars: 1 },
    ];
    expect(await jobOf(first.id)).toMatchObject([{ status: 'COMPLETED', attempts: 3, rescues: 2, earlierAttempts }]);
  });

  it('says that the worker stopped if ECS has reported so', async () => {
    await emulated.deploy('at-b');
    const job = await ran('at-b', 'w1');
    const lease = leaseOf('at-b', 'w1', job, clock.now() + LEASE);
    await ports.workers.beat(lease);
    expect(await requeueJobsOf(ports, lease, clock.now() - 1)).toBe(1);
    await record(ports, await emulated.changes());
    expect((await stored('at-b')).rows).toMatchObject([{ id: job.id, reason: 'WORKER_STOPPED' }]);
  });

  it('lists each attempt with the end of the job that it led to, and none for a retry', async () => {
    await emulated.deploy('at-c');
    const job = await ran('at-c', 'w1');
    await finish(ports, job, { error: 'no' });
    clock.advance(1);
    await retry(ports, job);
    await rescue(ports, await ran('at-c', 'w2', job.id), 0, 0);
    await finish(ports, await ran('at-c', 'w3', job.id), { output: '1' });
    await record(ports, await emulated.changes());
    const [failed, completed] = await jobOf(job.id);
    expect(failed).not.toHaveProperty('earlierAttempts');
    expect(completed).toMatchObject({ earlierAttempts: [{ attempt: 2, worker: 'w2', reason: 'WORKER_LOST' }] });
  });

  it('has attempts that an agent of an earlier version gave up, without a reason', async () => {
    await emulated.deploy('at-d');
    await rescue(ports, await ran('at-d', 'w1'), 0, 0);
    const without = ({ after, ...change }: JobChange): JobChange => ({
      ...change,
      ...(after && { after: after.status === 'IN_QUEUE' ? { ...after, requeued: undefined } : after }),
    });
    await record(ports, (await emulated.changes()).map(without));
    const { rows } = await stored('at-d');
    expect(rows).toMatchObject([{ worker: 'w1', endedAt: clock.now() }]);
    expect(rows[0]?.reason).toBeUndefined();
  });
});
