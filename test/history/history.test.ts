/** Tests the history of jobs from the changes of the jobs table to the lists. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { failures } from '../../core/history/failures.ts';
import { historyLimits } from '../../core/history/limits.ts';
import { type ListJobsRequest, listJobs } from '../../core/history/list-jobs.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import { record } from '../../core/ledger/record.ts';
import { DAY, HOUR, MINUTE, REPORT_GRACE } from '../../core/limits.ts';
import { EndpointNotFound, InvalidRequest } from '../../core/requests/errors.ts';
import { retry } from '../../core/submission/retry.ts';
import { run } from '../../core/submission/submit.ts';
import { sweepDeadlines } from '../../core/sweeper/deadlines.ts';
import { finish } from '../../core/workers/report.ts';
import { rescue } from '../../core/workers/rescue.ts';
import { take } from '../../core/workers/take.ts';
import { finishJob, startJob, submitJob, takeJob } from '../jobs/scripted-job.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const ports = portsWith(emulated.ports, { services: recordServices() });
const { clock } = emulated;

/** Counts the changes, which adds the jobs that have ended to the history. */
const follow = async () => record(ports, await emulated.changes());

interface Ended {
  readonly id: string;
  readonly endpoint: string;
  readonly status: string;
  readonly endedAt: string;
  readonly [member: string]: unknown;
}
interface Page {
  readonly jobs: readonly Ended[];
  readonly readTo: string;
  readonly nextCursor?: string;
}

const list = async (request: Partial<ListJobsRequest>): Promise<Page> =>
  JSON.parse(await listJobs(ports, { permitted: ['*'], ...request }));

const idsOf = ({ jobs }: Page) => jobs.map(({ id }) => id);

beforeEach(() => clock.advance(MINUTE));

describe('the history', () => {
  it('has each ended job with what it did, without its input and output', async () => {
    await emulated.deploy('hi-a', { workerPrice: { hour: 3.6, region: 'us-east-1', date: '2026-11-01' } });
    const id = await submitJob(ports, 'hi-a', { lowPriority: true });
    clock.advance(1_000);
    const taken = await take(ports, 'w1', { endpoint: 'hi-a', job: id, attempt: 0, generation: 0 }, { revision: 7 });
    if (taken.outcome !== 'taken') throw new Error('The job was not taken.');
    clock.advance(2_500);
    await finish(ports, taken.job, { output: '"secret"' }, () => 1_250);
    await follow();
    const page = await list({ endpoint: 'hi-a' });
    expect(page.jobs).toEqual([
      {
        id,
        endpoint: 'hi-a',
        status: 'COMPLETED',
        createdAt: new Date(clock.now() - 3_500).toISOString(),
        startedAt: new Date(clock.now() - 2_500).toISOString(),
        endedAt: new Date(clock.now()).toISOString(),
        delayTime: 1_000,
        executionTime: 2_500,
        attempts: 1,
        rescues: 0,
        retries: 0,
        lowPriority: true,
        worker: 'w1',
        revision: 7,
        owner: 'ada',
        inputBytes: 2,
        outputBytes: 8,
        workerTime: 1_250,
        dollars: 0.00125,
      },
    ]);
    expect(page).not.toHaveProperty('nextCursor');
  });

  it('counts the whole run of a job whose worker reported no share, and no dollars without a price', async () => {
    await emulated.deploy('hi-h');
    const job = await startJob(ports, 'hi-h');
    clock.advance(700);
    await finish(ports, job, { output: '1' });
    await cancel(ports, { endpoint: 'hi-h', id: await submitJob(ports, 'hi-h') });
    await follow();
    const [waited, ran] = (await list({ endpoint: 'hi-h', limit: '2' })).jobs.toSorted(
      (one, other) => Number(one.workerTime ?? 0) - Number(other.workerTime ?? 0),
    );
    expect(ran).toMatchObject({ id: job.id, workerTime: 700 });
    expect(ran).not.toHaveProperty('dollars');
    expect(waited).not.toHaveProperty('workerTime');
  });

  it('has the first line of an error, also of one that is not in the job', async () => {
    await emulated.deploy('hi-b');
    const error = `no seed 17\n${'at line 1\n'.repeat(5_000)}`;
    const job = await finishJob(ports, 'hi-b', { error });
    await follow();
    expect((await list({ endpoint: 'hi-b' })).jobs).toMatchObject([
      { id: job, status: 'FAILED', code: 'WORKER_ERROR', error: 'no seed 17' },
    ]);
  });

  it('finds jobs by a part of the line of their error, in any case', async () => {
    await emulated.deploy('hi-text');
    const found = await finishJob(ports, 'hi-text', { error: 'CUDA out of memory (7 MB)' });
    await finishJob(ports, 'hi-text', { error: 'no seed' });
    await finishJob(ports, 'hi-text', { output: '1' });
    await follow();
    const page = await list({ endpoint: 'hi-text', text: 'cuda OUT', limit: '1' });
    expect(idsOf(page)).toEqual([found]);
    await expect(list({ text: '' })).rejects.toThrow('`text` must be a text of 1 to 200 characters');
  });

  it('has jobs that ended without a worker or a client', async () => {
    const endpoint = await emulated.deploy('hi-c');
    const expired = await submitJob(ports, 'hi-c', { ttl: MINUTE });
    const late = await startJob(ports, 'hi-c', { executionTimeout: MINUTE });
    const cancelled = await submitJob(ports, 'hi-c');
    await cancel(ports, { endpoint: 'hi-c', id: cancelled });
    await follow();
    clock.advance(2 * MINUTE + REPORT_GRACE);
    await sweepDeadlines(ports, { ...endpoint, generation: 0, purgedAt: 0 } as never);
    await follow();
    const byId = new Map((await list({ endpoint: 'hi-c' })).jobs.map((job) => [job.id, job.code]));
    expect(byId).toEqual(
      new Map([
        [expired, 'QUEUE_TTL_EXPIRED'],
        [late.id, 'EXECUTION_TIMEOUT'],
        [cancelled, 'CANCELLED'],
      ]),
    );
  });

  it('has each end of a retried job, and counts the attempts of a rescued one', async () => {
    await emulated.deploy('hi-d');
    const job = await startJob(ports, 'hi-d');
    await rescue(ports, job, 0, 0);
    await finish(ports, await takeJob(ports, 'hi-d', job.id, 'w2'), { error: 'no' });
    clock.advance(MINUTE);
    await retry(ports, { endpoint: 'hi-d', id: job.id });
    await finish(ports, await takeJob(ports, 'hi-d', job.id, 'w3'), { output: '1' });
    await follow();
    expect((await list({ job: job.id })).jobs).toMatchObject([
      { status: 'FAILED', attempts: 2, rescues: 1, retries: 0, worker: 'w2' },
      { status: 'COMPLETED', attempts: 3, rescues: 1, retries: 1, worker: 'w3' },
    ]);
  });

  it('has each job once, even if changes are repeated', async () => {
    await emulated.deploy('hi-e');
    for (let n = 0; n < 30; n += 1) await finishJob(ports, 'hi-e', { output: '1' });
    const changes = await emulated.changes();
    await record(ports, changes);
    await record(ports, changes.slice(20));
    expect((await list({ endpoint: 'hi-e' })).jobs).toHaveLength(30);
  });

  it('has a job once if a client ends its retention sooner', async () => {
    await emulated.deploy('hi-s');
    const id = await finishJob(ports, 'hi-s', { output: '1' });
    await follow();
    const saved: unknown[] = [];
    const save = async (jobs: readonly unknown[]) => void saved.push(...jobs);
    const finished = await ports.jobs.read({ endpoint: 'hi-s', id });
    if (!finished || !('finishedAt' in finished)) throw new Error('The job has not ended.');
    await ports.jobs.move('expireSooner', finished, {
      $finishedAt: finished.finishedAt,
      $expiresAt: finished.expiresAt - 1,
    });
    await record(portsWith(ports, { jobHistory: { ...ports.jobHistory, save } }), await emulated.changes());
    expect(saved).toEqual([]);
  });

  it('records a job whose error is not stored, because workers can write any location', async () => {
    await emulated.deploy('hi-f');
    const id = await finishJob(ports, 'hi-f', { error: 'no' });
    const changes = (await emulated.changes()).map((change) => {
      const after =
        change.after?.status === 'FAILED' ? { ...change.after, error: { stored: 'error#9' } } : change.after;
      return { ...change, after };
    });
    expect(await record(ports, changes)).toEqual([]);
    expect(idsOf(await list({ endpoint: 'hi-f' }))).toEqual([id]);
  });

  it('is written after the counts, so an endpoint whose history cannot be stored is repeated', async () => {
    await emulated.deploy('hi-g');
    await finishJob(ports, 'hi-g', { output: '1' });
    const changes = (await emulated.changes()).filter(({ after }) => after?.endpoint === 'hi-g');
    const save = () => Promise.reject(new Error('Throttled'));
    const broken = portsWith(ports, { jobHistory: { ...ports.jobHistory, save } });
    expect(await record(broken, changes)).toMatchObject([{ endpoint: 'hi-g' }]);
    expect((await ports.endpoints.readNow('hi-g'))?.counts.completed).toBe(1);
    await record(ports, changes);
    expect((await list({ endpoint: 'hi-g' })).jobs).toHaveLength(1);
  });
});

describe('a list of jobs', () => {
  it('has only the jobs that match each filter', async () => {
    await emulated.deploy('hi-k');
    const completed = await finishJob(ports, 'hi-k', { output: '1' });
    const failed = await finishJob(ports, 'hi-k', { error: 'no model 7' });
    const lost = await startJob(ports, 'hi-k', {}, 'w9');
    await finish(ports, lost, { error: 'x', code: 'RESULT_NOT_REPORTED' });
    await follow();
    const all = await list({ endpoint: 'hi-k' });
    const fingerprint = all.jobs.find(({ id }) => id === failed)?.fingerprint;
    const found = async (filter: Partial<ListJobsRequest>) =>
      idsOf(await list({ endpoint: 'hi-k', ...filter })).sort((a, b) => a.localeCompare(b));
    expect(await found({ status: 'COMPLETED' })).toEqual([completed]);
    expect(await found({ status: 'FAILED,CANCELLED' })).toEqual([failed, lost.id].sort((a, b) => a.localeCompare(b)));
    expect(await found({ code: 'RESULT_NOT_REPORTED' })).toEqual([lost.id]);
    expect(await found({ error: String(fingerprint) })).toEqual([failed]);
    expect(await found({ worker: 'w9' })).toEqual([lost.id]);
    expect(await found({ key: '0123456789ab' })).toEqual([]);
    expect(await found({ release: '7' })).toEqual([]);
  });

  it('is newest first, between its times, over all endpoints that the caller may call', async () => {
    const ids: string[] = [];
    for (const endpoint of ['hi-l', 'hi-m', 'hi-l', 'hi-n']) {
      await emulated.deploy(endpoint);
      clock.advance(MINUTE);
      ids.unshift(await finishJob(ports, endpoint, { output: '1' }));
    }
    await follow();
    const permitted = ['hi-l', 'hi-m'];
    const [, newest, middle, oldest] = ids;
    expect(idsOf(await list({ permitted }))).toEqual([newest, middle, oldest]);
    const at = (ago: number) => new Date(clock.now() - ago).toISOString();
    expect(idsOf(await list({ permitted, since: at(2 * MINUTE), until: at(MINUTE) }))).toEqual([newest, middle]);
    expect((await list({ permitted, since: at(HOUR) })).readTo).toBe(at(HOUR));
    await expect(list({ permitted, endpoint: 'hi-n' })).rejects.toThrow(EndpointNotFound);
  });

  it('has all jobs of several endpoints over its pages, each once and in order', async () => {
    const ids: string[] = [];
    for (const endpoint of ['hi-p', 'hi-q']) await emulated.deploy(endpoint);
    // Most jobs are of one endpoint, so its share of a read ends first.
    for (let n = 0; n < 60; n += 1) {
      clock.advance(1);
      ids.unshift(await finishJob(ports, n % 10 === 0 ? 'hi-q' : 'hi-p', { output: '1' }));
    }
    await follow();
    const read = async (limit: number) => {
      const pages: Page[] = [];
      let cursor: string | undefined;
      do {
        const page = await list({ permitted: ['hi-p', 'hi-q'], limit: String(limit), cursor });
        pages.push(page);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return pages;
    };
    for (const limit of [7, 60, historyLimits.page.max]) expect((await read(limit)).flatMap(idsOf)).toEqual(ids);
    const [first] = await read(7);
    expect(first?.readTo).toBe(first?.jobs.at(-1)?.endedAt);
  });

  it('finds a job by its id after its result has expired', async () => {
    await emulated.deploy('hi-r');
    const id = await finishJob(ports, 'hi-r', { output: '1' });
    await follow();
    clock.advance(3 * DAY);
    expect(idsOf(await list({ endpoint: 'hi-r' }))).toEqual([]);
    expect(idsOf(await list({ job: id }))).toEqual([id]);
  });

  it.each([
    ['status', { status: 'IN_QUEUE' }, 'COMPLETED, FAILED, CANCELLED, TIMED_OUT'],
    ['error', { error: 'no model' }, '12 characters'],
    ['release', { release: 'v1' }, 'revision'],
    ['job', { job: 'x' }, 'id of a job'],
    ['since', { since: 'yesterday' }, 'a date such as'],
    ['limit', { limit: '501' }, '1 to 500'],
    ['cursor', { cursor: 'a'.repeat(40) }, 'nextCursor'],
    ['since', { since: '2030-01-02', until: '2030-01-01' }, 'after `until`'],
  ])('refuses an invalid %s', async (name, filter, allowed) => {
    const refused = list({ endpoint: 'hi-a', ...filter } as Partial<ListJobsRequest>);
    await expect(refused).rejects.toThrow(InvalidRequest);
    await expect(refused).rejects.toThrow(name);
    await expect(refused).rejects.toThrow(allowed);
  });
});

describe('failures', () => {
  it('are grouped by their errors, the most frequent first, with workers and times', async () => {
    await emulated.deploy('hi-x');
    const start = clock.now();
    for (const [n, worker] of ['w1', 'w1', 'w2'].entries()) {
      clock.advance(MINUTE);
      await finish(ports, await startJob(ports, 'hi-x', {}, worker), { error: `no seed ${n}` });
    }
    const ofKey = { endpoint: 'hi-x', owner: 'ada', keyId: '0a1b2c3d4e5f', body: Buffer.from('{"input":{}}') };
    const last = await takeJob(ports, 'hi-x', (await run(ports, ofKey)).id, 'w3');
    await finish(ports, last, { error: 'out of memory' });
    await finishJob(ports, 'hi-x', { output: '1' });
    await follow();
    const found = await failures(ports, { endpoint: 'hi-x' });
    expect(found).toMatchObject({ ended: 5, failed: 4 });
    expect(found.failures).toMatchObject([
      {
        code: 'WORKER_ERROR',
        error: 'no seed 2',
        count: 3,
        first: new Date(start + MINUTE).toISOString(),
        last: new Date(start + 3 * MINUTE).toISOString(),
        workers: [
          { worker: 'w1', count: 2 },
          { worker: 'w2', count: 1 },
        ],
        workerCount: 2,
      },
      { error: 'out of memory', count: 1, job: last.id, keys: [{ key: '0a1b2c3d4e5f', count: 1 }], keyCount: 1 },
    ]);
    expect(found.failures[0]).not.toHaveProperty('keys');
    const listed = await list({ endpoint: 'hi-x', error: String(found.failures[0]?.fingerprint) });
    expect(listed.jobs).toHaveLength(3);
  });

  it('are those of an endpoint that exists', async () => {
    await expect(failures(ports, { endpoint: 'hi-none' })).rejects.toThrow(EndpointNotFound);
  });
});
