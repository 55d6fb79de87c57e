import { describe, expect, it } from '@jest/globals';
import type { RunningJob } from '../../core/jobs/job.ts';
import { apply } from '../../core/jobs/machine.ts';
import { run } from '../../core/submission/submit.ts';
import { hold, lossOf } from '../../core/workers/hold.ts';
import { take } from '../../core/workers/take.ts';
import { facts, jobs } from '../jobs/job-in-each-status.ts';
import { queuedJob } from '../jobs/queued-job.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

/** A job that w1 took at 2,000 as its first attempt, and that can run until 8,000. */
const taken = apply('take', queuedJob(1_000), facts) as RunningJob;

describe('a worker that took a job', () => {
  it.each([
    ['holds the job while it runs', taken, 3_000, undefined],
    ['holds the job until the end of its time-out', taken, 6_000, undefined],
    ['has lost the job after its time-out', taken, 6_001, 'timed out'],
    ['has lost the job if another worker has it', { ...taken, worker: 'w2' }, 3_000, 'no longer held'],
    ['has lost the job if another attempt has it', { ...taken, attempt: 2 }, 3_000, 'no longer held'],
    ['has lost the job if it is cancelled', jobs.CANCELLED, 3_000, 'cancelled'],
    ['has lost the job if it is stored as timed out', jobs.TIMED_OUT, 3_000, 'timed out'],
    ['has lost the job if it is in the queue again', jobs.IN_QUEUE, 3_000, 'no longer held'],
    ['has lost the job if another process has ended it', jobs.FAILED, 3_000, 'no longer held'],
    ['has lost the job if it is no longer stored', undefined, 3_000, 'gone'],
  ] as const)('%s', (_, stored, ran, loss) => {
    expect(lossOf(stored, taken, ran)).toBe(loss);
  });
});

describe('hold', () => {
  const emulated = useEmulatedDeployment();

  async function takenJob(endpoint: string): Promise<RunningJob> {
    await emulated.deploy(endpoint);
    const body = '{"input":{},"policy":{"executionTimeout":6000}}';
    const { id } = await run(emulated.ports, { endpoint, owner: 'ada', body: Buffer.from(body) });
    const result = await take(emulated.ports, 'w1', {
      endpoint,
      job: id,
      attempt: 0,
      generation: 0,
    });
    if (result.outcome !== 'taken') throw new Error(`The job is ${result.outcome}.`);
    return result.job;
  }

  it('stores that a job timed out as soon as its time-out is over', async () => {
    const job = await takenJob('ho-a');
    expect(await hold(emulated.ports, job, 6_000)).toBeUndefined();
    expect(await emulated.ports.jobs.read(job)).toMatchObject({ status: 'IN_PROGRESS' });
    expect(await hold(emulated.ports, job, 6_001)).toBe('timed out');
    expect(await emulated.ports.jobs.read(job)).toMatchObject({
      status: 'TIMED_OUT',
      code: 'EXECUTION_TIMEOUT',
      finishedAt: job.executionDeadline,
    });
  });

  it('does not change a job that another worker has', async () => {
    const job = await takenJob('ho-b');
    expect(await hold(emulated.ports, { ...job, worker: 'w2' }, 60_000)).toBe('no longer held');
    expect(await emulated.ports.jobs.read(job)).toMatchObject({ status: 'IN_PROGRESS' });
  });
});
