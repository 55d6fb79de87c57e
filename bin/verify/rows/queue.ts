import { after, before, describe, it } from 'node:test';
import { expect } from 'expect';
import { createBursts, refused } from '../bursts.ts';
import type { Answer } from '../client.ts';
import { eventually } from '../eventually.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import type { Suite } from '../suite.ts';

/** Number of jobs that keep all workers busy: at least the maximum number of workers. */
const WORKERS = 3;
/** Milliseconds of these jobs, much longer than the tests take. The last test cancels the jobs. */
const LONG = 3_600_000;
/** Number of submitted jobs: more than 50, and fewer than 500 for each worker. */
const WAITING = 120;

interface Health {
  readonly jobs: Readonly<Record<string, number>>;
  readonly workers: Readonly<Record<string, number>>;
  readonly concurrency?: unknown;
}

/** Tests waiting jobs while all workers are busy. The last test frees the workers. */
export function queue(suite: Suite, meanwhile: readonly ((suite: Suite) => void)[]): void {
  const { ask, ended, jobIn, lacks, run } = suite;
  const { at, drain } = createBursts(suite);
  const health = async () => (await ask('GET', 'health')).json as unknown as Health;
  const counted = (what: string, holds: (health: Health) => boolean) =>
    eventually(what, async () => {
      const record = await health();
      return holds(record) ? record : undefined;
    });
  const waitingJob = async (policy?: object) => {
    const id = await run({ waits: true }, policy);
    expect((await ask('GET', `status/${id}`)).json).toMatchObject({ status: 'IN_QUEUE' });
    return id;
  };

  /** Ends jobs in each way that health counts, unless it has counted some already. */
  async function endJobs(): Promise<void> {
    const { jobs } = await health();
    const ways = { completed: {}, failed: { op: 'fail' }, retried: { op: 'crash', attempts: 1 } };
    const missing = Object.entries(ways).filter(([name]) => !jobs[name]);
    await Promise.all(missing.map(async ([, input]) => ended(await run(input))));
  }

  describe('the service while all workers are busy', () => {
    let running: string[] = [];
    let receiver: Receiver;

    let submitted: Promise<readonly Answer[]> | undefined;
    /** Submits the waiting jobs once. */
    const fill = () =>
      (submitted ??= Promise.all(Array.from({ length: WAITING }, () => ask('POST', 'run', { body: '{"input":{}}' }))));

    let accepted: Promise<string> | undefined;
    /** Submits once a job whose ttl ends while the next tests run. */
    const impatient = () => (accepted ??= waitingJob({ ttl: 10_000 }));

    let notifying: Promise<number> | undefined;
    async function submitNotifying(): Promise<number> {
      const body = { input: {}, policy: { ttl: 10_000 }, webhook: `${receiver.url}/ttl` };
      expect((await ask('POST', 'run', { body: JSON.stringify(body) })).status).toBe(200);
      return Date.now() + 10_000;
    }
    /**
     * Submits once such a job with a webhook, which no request reads.
     * @returns latest time at which its ttl ends
     */
    const deadlineOfWebhook = () => (notifying ??= submitNotifying());

    before(async () => {
      receiver = await startReceiver();
      await endJobs();
      const long = () => run({ op: 'sleep', ms: LONG }, { executionTimeout: 2 * LONG });
      running = await Promise.all(Array.from({ length: WORKERS }, long));
      for (const id of running) await jobIn(id, 'IN_PROGRESS');
    });
    after(async () => {
      receiver.close();
      await Promise.all(running.map((id) => ask('POST', `cancel/${id}`)));
    });

    it('[state.IN_QUEUE][transition.cancel.queued][state.CANCELLED][route.cancel] keeps a job IN_QUEUE, and cancels it on request', async () => {
      const id = await waitingJob();
      const { status, json } = await ask('POST', `cancel/${id}`);
      expect([status, json]).toEqual([200, { id, status: 'CANCELLED' }]);
      expect((await ask('GET', `status/${id}`)).json).toMatchObject({ status: 'CANCELLED', attempts: 0 });
      expect((await ask('POST', `cancel/${id}`)).json).toEqual({ id, status: 'CANCELLED' });
    });

    it('[limits.run][limits.queue] accepts 120 concurrent jobs, which are fewer than 500 for each worker', async () => {
      const statuses = (await fill()).map(({ status }) => status);
      expect(statuses).toEqual(Array.from({ length: WAITING }, () => 200));
    });

    it('[route.health][health.delay][health.jobs.inQueue][health.jobs.inProgress] counts waiting and running jobs in health', async () => {
      await fill();
      const { jobs } = await counted('all jobs are counted', ({ jobs: { inQueue } }) => inQueue === WAITING);
      expect(jobs.inProgress).toBe(WORKERS);
    });

    it('[health.jobs.completed][health.jobs.failed][health.jobs.retried] counts ended jobs and their retries in health', async () => {
      const { jobs } = await health();
      for (const name of ['completed', 'failed', 'retried']) expect(jobs[name]).toBeGreaterThan(0);
    });

    it('[route.purge-queue][purge.removed][purge.status][transition.purge-queue] removes only waiting jobs by a purge', async () => {
      await fill();
      // The purge follows immediately, before the ledger has counted the job.
      const id = await waitingJob();
      const { status, json } = await ask('POST', 'purge-queue');
      expect([status, json]).toEqual([200, { removed: WAITING + 1, status: 'completed' }]);
      expect((await health()).jobs).toMatchObject({ inQueue: 0, inProgress: WORKERS });
      expect((await ask('GET', `status/${id}`)).json).toMatchObject({ status: 'CANCELLED', code: 'PURGED' });
      for (const each of running)
        expect((await ask('GET', `status/${each}`)).json).toMatchObject({ status: 'IN_PROGRESS', attempts: 1 });
      // A job that is submitted after the purge waits.
      await ask('POST', `cancel/${await waitingJob()}`);
    });

    it('[limits.purge-queue][errors.429][errors.retry] admits two purges, and returns in Retry-After when it admits the next one', async () => {
      const answers = await drain(at('purge-queue'), { bucket: 2, rate: 0.2 });
      for (const { headers, json } of refused(answers)) {
        expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
        expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(10);
        expect(json).toMatchObject({ code: 'TOO_MANY_REQUESTS', error: expect.any(String) });
      }
    });

    it('[policy.ttl.min][state.IN_QUEUE] accepts a job with a ttl of ten seconds', async () => {
      await impatient();
      if (!lacks.receiver) await deadlineOfWebhook();
    });

    it('[job.queuePosition][job.waitReason] shows the position of a waiting job, and why it waits', async () => {
      const ahead = await waitingJob();
      const busy = async () => {
        const { json } = await ask('GET', `status/${ahead}`);
        return json.waitReason === 'WORKERS_BUSY' ? json : undefined;
      };
      const { queuePosition } = await eventually('the job waits because all workers are busy', busy);
      expect(queuePosition).toBeGreaterThanOrEqual(1);
      expect(queuePosition).toBeLessThanOrEqual(2);
      await ask('POST', `cancel/${ahead}`);
    });

    it('[health.workers.running] counts the workers that have jobs in health', async () => {
      const { workers } = await counted('workers run', ({ workers: { running: those } }) => those === WORKERS);
      expect(workers.idle).toBe(0);
    });

    // These rows need no worker, so they run until the ttl of the job expires.
    for (const rows of meanwhile) rows(suite);

    it('[policy.ttl][policy.ttl.min][state.TIMED_OUT] ends a job at the end of its ttl', async () => {
      const { json } = await jobIn(await impatient(), 'TIMED_OUT');
      expect(json).toMatchObject({ code: 'QUEUE_TTL_EXPIRED', attempts: 0, delayTime: 10_000 });
    });

    it('[webhook.ttl] calls the webhook of a job within 15 s after its ttl, although no client reads the job', {
      skip: lacks.receiver,
    }, async () => {
      const deadline = await deadlineOfWebhook();
      const [post] = await eventually(
        'the webhook is called',
        () => receiver.posts('/ttl')[0] && receiver.posts('/ttl'),
      );
      const { status, code, delayTime } = JSON.parse(post?.body ?? '');
      expect([status, code, delayTime]).toEqual(['TIMED_OUT', 'QUEUE_TTL_EXPIRED', 10_000]);
      // The deadline was calculated after the response of `/run`, so the webhook can arrive shortly before it.
      expect((post?.at ?? 0) - deadline).toBeGreaterThan(-1_000);
      expect((post?.at ?? 0) - deadline).toBeLessThan(15_000);
    });

    it('[policy.lowPriority] runs a waiting job of low priority when the other jobs have ended', async () => {
      const id = await waitingJob({ lowPriority: true });
      for (const each of running.splice(0)) {
        const { status, json } = await ask('POST', `cancel/${each}`);
        expect([status, json]).toEqual([200, { id: each, status: 'CANCELLED' }]);
      }
      expect((await jobIn(id, 'COMPLETED')).json).toMatchObject({ output: { waits: true } });
    });
  });

  describe('the service when no job is running', () => {
    it('[transition.cancel.running][state.CANCELLED][job.error][job.attempts] runs another job on a worker whose job was cancelled', async () => {
      const id = await run({ op: 'sleep', ms: 60_000 });
      await jobIn(id, 'IN_PROGRESS');
      expect((await ask('POST', `cancel/${id}`)).json).toEqual({ id, status: 'CANCELLED' });
      const { json } = await ask('GET', `status/${id}`);
      expect([json.status, json.code, 'error' in json]).toEqual(['CANCELLED', 'CANCELLED', false]);
      const after = await Promise.all(Array.from({ length: WORKERS }, () => run({ op: 'sleep', ms: 1 })));
      for (const each of after) await jobIn(each, 'COMPLETED');
      expect((await ask('GET', `status/${id}`)).json).toMatchObject({ status: 'CANCELLED', attempts: 1 });
    });

    it('[health.workers.idle] counts the workers without jobs in health', async () => {
      const { workers } = await counted('a worker idles', ({ workers: { idle = 0 } }) => idle > 0);
      expect(workers.ready).toBe(Number(workers.idle) + Number(workers.running));
    });

    it('[health.concurrency] shows in health how many concurrent jobs a worker requests, and which setting would allow them', async () => {
      const { concurrency } = await counted(
        'a worker has requested jobs',
        (record) => record.concurrency !== undefined,
      );
      expect(concurrency).toEqual({ jobs: 1, detail: expect.stringContaining('`concurrency: 1`') });
    });
  });
}
