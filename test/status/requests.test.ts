import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { createSecretPorts } from '../../aws/secret-ports.ts';
import type { QueuedJob } from '../../core/jobs/job.ts';
import { purgeQueue } from '../../core/jobs/purge-queue.ts';
import { listLimits, REPORT_GRACE } from '../../core/limits.ts';
import { EndpointNotFound, InvalidRequest } from '../../core/requests/errors.ts';
import type { QueryValue } from '../../core/requests/validation.ts';
import { requests } from '../../core/status/requests.ts';
import { retry } from '../../core/submission/retry.ts';
import { parseJobRequest, submit } from '../../core/submission/submit.ts';
import { finish } from '../../core/workers/report.ts';
import { finishJob, startJob, submitJob, takeJob } from '../jobs/scripted-job.ts';
import { createCallCounter } from '../support/call-counter.ts';
import { storeJobs } from '../support/stored-jobs.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { ports } = emulated;

interface Page {
  readonly requests: readonly Readonly<Record<string, unknown>>[];
  readonly nextCursor?: string;
}

type Query = Partial<Record<'status' | 'limit' | 'cursor', QueryValue | undefined>>;

const pageOf = async (endpoint: string, query: Query = {}, over = ports): Promise<Page> =>
  JSON.parse(await requests(over, { endpoint, ...query }));
const idsOf = async (endpoint: string, query?: Query) => (await pageOf(endpoint, query)).requests.map(({ id }) => id);
const statusesOf = async (endpoint: string, query?: Query) =>
  Object.fromEntries((await pageOf(endpoint, query)).requests.map(({ id, status }) => [id, status]));

/**
 * Submits jobs with /run and /runsync in turn, a millisecond apart.
 * @returns their ids, the oldest first
 */
async function submitMany(endpoint: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const request = { endpoint, owner: n % 3 ? 'ada' : 'bob', body: Buffer.from('{"input":{}}') };
    ids.push((await submit(ports, n % 2 ? 'runsync' : 'run', request, () => parseJobRequest(ports, request))).id);
    emulated.clock.advance(1);
  }
  return ids;
}

/** Stores later copies of the job, some of them in the same millisecond. */
async function storeLike(template: QueuedJob, count: number): Promise<void> {
  const later = Array.from({ length: count }, (_, n) => {
    if (n % 25 === 0) emulated.clock.advance(1);
    return { ...template, id: ports.newJobId('run', emulated.clock.now()) };
  });
  await storeJobs(later);
}

/** @returns ports that count the read jobs and the writes */
function counted() {
  const seen = { jobs: 0, moves: 0 };
  const { jobs } = ports;
  const move: typeof jobs.move = async (name, key, facts) => {
    seen.moves += 1;
    return jobs.move(name, key, facts);
  };
  const over = portsWith(ports, {
    jobs: {
      ...jobs,
      async *newest(endpoint: string, before?: string) {
        for await (const job of jobs.newest(endpoint, before)) {
          seen.jobs += 1;
          yield job;
        }
      },
      move,
    },
  });
  return { over, seen };
}

describe('a list of jobs', () => {
  it('contains the jobs of all owners and operations of the endpoint, the newest first', async () => {
    await emulated.deploy('rq-a');
    await emulated.deploy('rq-a2');
    await submitMany('rq-a2', 2);
    const ids = await submitMany('rq-a', 16);
    expect(await idsOf('rq-a')).toEqual(ids.toReversed());
    expect((await pageOf('rq-a')).nextCursor).toBeUndefined();
  });

  it('contains the response of /status without output and error, and the time of submission', async () => {
    await emulated.deploy('rq-b');
    const submittedAt = emulated.clock.now();
    const running = await startJob(ports, 'rq-b');
    emulated.clock.advance(40);
    await finish(ports, running, { output: JSON.stringify('x'.repeat(1_000)), error: 'no' });
    expect(await pageOf('rq-b')).toEqual({
      requests: [
        {
          id: running.id,
          status: 'FAILED',
          delayTime: 0,
          executionTime: 40,
          workerId: 'w1',
          attempts: 1,
          code: 'WORKER_ERROR',
          createdAt: new Date(submittedAt).toISOString(),
        },
      ],
    });
  });

  it('contains each job on one page only, even if jobs are submitted meanwhile', async () => {
    await emulated.deploy('rq-c');
    const ids = await submitMany('rq-c', 23);
    const found: unknown[] = [];
    let query: Query = { limit: '5' };
    for (;;) {
      const page = await pageOf('rq-c', query);
      expect(page.requests.length).toBeLessThanOrEqual(5);
      found.push(...page.requests.map(({ id }) => id));
      if (page.nextCursor === undefined) break;
      query = { limit: '5', cursor: page.nextCursor };
      await submitJob(ports, 'rq-c');
    }
    expect(found).toEqual(ids.toReversed());
  });

  it('has 20 jobs in a page, or up to 100 with `limit`', async () => {
    await emulated.deploy('rq-d');
    await submitMany('rq-d', 21);
    expect((await pageOf('rq-d')).requests).toHaveLength(20);
    const all = await pageOf('rq-d', { limit: '100' });
    expect([all.requests.length, all.nextCursor]).toEqual([21, undefined]);
  });

  it('keeps a retried job at its position', async () => {
    await emulated.deploy('rq-e');
    const failed = await finishJob(ports, 'rq-e', { error: 'no' });
    emulated.clock.advance(1);
    const later = await submitJob(ports, 'rq-e');
    await retry(ports, { endpoint: 'rq-e', id: failed });
    expect(await statusesOf('rq-e')).toEqual({ [later]: 'IN_QUEUE', [failed]: 'IN_QUEUE' });
    expect(await idsOf('rq-e')).toEqual([later, failed]);
  });

  it('omits jobs whose results have expired', async () => {
    await emulated.deploy('rq-f');
    await finishJob(ports, 'rq-f', { output: '1' });
    const waiting = await submitJob(ports, 'rq-f');
    emulated.clock.advance(30 * 60_000 - 1);
    expect(await idsOf('rq-f')).toHaveLength(2);
    emulated.clock.advance(1);
    expect(await idsOf('rq-f')).toEqual([waiting]);
  });
});

describe('a list by status', () => {
  it('contains the jobs with that status by the clock, and stores only the ends that it returns', async () => {
    await emulated.deploy('rq-g');
    const completed = await finishJob(ports, 'rq-g', { output: '1' });
    const overdue = await startJob(ports, 'rq-g', { executionTimeout: 6_000 });
    const expired = await submitJob(ports, 'rq-g', { ttl: 10_000 });
    const running = await startJob(ports, 'rq-g');
    const waiting = await submitJob(ports, 'rq-g');
    emulated.clock.advance(10_001 + REPORT_GRACE);

    const { over, seen } = counted();
    const ids = async (status: string) => (await pageOf('rq-g', { status }, over)).requests.map(({ id }) => id);
    expect(await ids('IN_QUEUE')).toEqual([waiting]);
    expect(await ids('COMPLETED,IN_PROGRESS')).toEqual(expect.arrayContaining([running.id, completed]));
    expect(await ids('FAILED,CANCELLED')).toEqual([]);
    expect(seen.moves).toBe(0);
    expect(new Set(await ids('TIMED_OUT'))).toEqual(new Set([expired, overdue.id]));
    expect(seen.moves).toBe(2);
    for (const id of [expired, overdue.id])
      expect(await ports.jobs.read({ endpoint: 'rq-g', id })).toMatchObject({ status: 'TIMED_OUT' });
    expect(await statusesOf('rq-g')).toEqual({
      [completed]: 'COMPLETED',
      [overdue.id]: 'TIMED_OUT',
      [expired]: 'TIMED_OUT',
      [running.id]: 'IN_PROGRESS',
      [waiting]: 'IN_QUEUE',
    });
  });

  it('shows a purged job as CANCELLED', async () => {
    await emulated.deploy('rq-h');
    const id = await submitJob(ports, 'rq-h');
    await purgeQueue(ports, 'rq-h');
    expect(await idsOf('rq-h', { status: 'IN_QUEUE' })).toEqual([]);
    expect((await pageOf('rq-h', { status: 'CANCELLED' })).requests).toMatchObject([{ id, code: 'PURGED' }]);
  });

  it('omits a job whose status changed between the read and the write', async () => {
    await emulated.deploy('rq-i');
    const job = await startJob(ports, 'rq-i', { executionTimeout: 6_000 });
    emulated.clock.advance(6_001 + REPORT_GRACE);
    const late = { $now: emulated.clock.now(), $graceStart: 0, $worker: 'w1', $attempt: 1, $removeAfter: 1 };
    const { jobs } = ports;
    const move: typeof jobs.move = async (name, key, facts) => {
      // A report of a process with a slow clock is stored first.
      await jobs.report('complete', job, { ...late, $output: undefined, $chunks: undefined, $workerTime: undefined });
      return jobs.move(name, key, facts);
    };
    const page = await pageOf('rq-i', { status: 'TIMED_OUT' }, portsWith(ports, { jobs: { ...jobs, move } }));
    expect(page.requests).toEqual([]);
    expect(await idsOf('rq-i', { status: 'COMPLETED' })).toEqual([job.id]);
  });

  it('reads a limited number of jobs for a page, and returns the cursor to continue', async () => {
    await emulated.deploy('rq-j');
    const oldest = await finishJob(ports, 'rq-j', { error: 'no' });
    const template = (await ports.jobs.read({ endpoint: 'rq-j', id: await submitJob(ports, 'rq-j') })) as QueuedJob;
    await storeLike(template, listLimits.examined);
    const { over, seen } = counted();
    const first = await pageOf('rq-j', { status: 'FAILED' }, over);
    expect([first.requests.length, typeof first.nextCursor]).toEqual([0, 'string']);
    expect(seen.jobs).toBeLessThanOrEqual(listLimits.examined + 1);
    const second = await pageOf('rq-j', { status: 'FAILED', cursor: first.nextCursor });
    expect([second.requests.map(({ id }) => id), second.nextCursor]).toEqual([[oldest], undefined]);
  });

  it('makes few calls for a page of which it reads many jobs', async () => {
    const counter = createCallCounter();
    const over = createSecretPorts({ clock: emulated.clock, onClient: counter.onClient });
    const { calls, rru } = await counter.countOf(() => requests(over, { endpoint: 'rq-j', status: 'CANCELLED' }));
    // One for the endpoint, one for each partition and kind, and then one for 50 jobs.
    expect(calls).toBeLessThanOrEqual(1 + 8 + 24);
    expect(rru).toBeGreaterThan(50);
  });
});

describe('the query of a list', () => {
  it.each([[''], ['0'], ['-1'], ['101'], ['1e1'], ['1.5'], [' 5'], ['５'], [['5', '6']], ['9'.repeat(400)]])(
    'refuses the limit %j',
    async (limit) => {
      await expect(pageOf('rq-a', { limit })).rejects.toThrow(InvalidRequest);
      await expect(pageOf('rq-a', { limit })).rejects.toThrow('`limit` must be a whole number from 1 to 100, got');
    },
  );

  it.each([[''], ['RUNNING'], ['in_queue'], ['FAILED,'], ['FAILED, COMPLETED'], [['FAILED', 'COMPLETED']]])(
    'refuses the status %j',
    async (status) => {
      await expect(pageOf('rq-a', { status })).rejects.toThrow(InvalidRequest);
      await expect(pageOf('rq-a', { status })).rejects.toThrow('`status` must be one or more of IN_QUEUE, IN_PROGRESS');
    },
  );

  it('refuses a cursor that was made up, changed, or returned by another endpoint', async () => {
    const { nextCursor = '' } = await pageOf('rq-a', { limit: '3' });
    expect(await idsOf('rq-a', { cursor: nextCursor })).toHaveLength(13);
    const [{ id = '' } = {}] = (await pageOf('rq-a', { limit: '1' })).requests;
    const changed = nextCursor.slice(0, -1) + (nextCursor.endsWith('A') ? 'B' : 'A');
    const forged = [
      '',
      'x',
      String(id),
      nextCursor.slice(1),
      `${nextCursor}=`,
      `${nextCursor} `,
      changed,
      [nextCursor],
    ];
    for (const cursor of forged) await expect(pageOf('rq-a', { cursor })).rejects.toThrow(InvalidRequest);
    await expect(pageOf('rq-a2', { cursor: nextCursor })).rejects.toThrow('another page of `rq-a2`');
  });

  it('gets a 404 for an endpoint that does not exist', async () => {
    await expect(pageOf('nowhere')).rejects.toThrow(EndpointNotFound);
  });

  it('returns no jobs of other endpoints', async () => {
    await emulated.deploy('rq-k');
    await takeJob(ports, 'rq-a', String((await idsOf('rq-a'))[0]));
    expect(await pageOf('rq-k')).toEqual({ requests: [] });
  });
});
