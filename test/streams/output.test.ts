/** What the records of ended jobs contain if their worker returns the chunks of a job as its output. */
import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import type { RunningJob } from '../../core/jobs/job.ts';
import { endedRecordOf } from '../../core/jobs/record.ts';
import { payloadLimits, REPORT_GRACE } from '../../core/limits.ts';
import { status } from '../../core/status/status.ts';
import { append } from '../../core/streams/append.ts';
import { MAX_OUTPUT_VALUES } from '../../core/streams/output.ts';
import type { Chunks } from '../../core/streams/store.ts';
import { retry } from '../../core/submission/retry.ts';
import { finish, type Report } from '../../core/workers/report.ts';
import { rescue } from '../../core/workers/rescue.ts';
import { take } from '../../core/workers/take.ts';
import { submitJob } from '../jobs/scripted-job.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { ports } = emulated;

const TIMEOUT = 6_000;

async function takeAs(endpoint: string, id: string, aggregates?: true, worker = 'w1'): Promise<RunningJob> {
  const taken = await take(ports, worker, { endpoint, job: id, attempt: 0, generation: 0 }, { aggregates });
  if (taken.outcome !== 'taken') throw new Error(`The job is ${taken.outcome}.`);
  return taken.job;
}

/** Starts a job of a worker that is known to aggregate. */
async function started(endpoint: string): Promise<RunningJob> {
  await emulated.deploy(endpoint);
  return takeAs(endpoint, await submitJob(ports, endpoint, { executionTimeout: TIMEOUT }), true);
}

async function appendAll(job: RunningJob, outputs: readonly string[], first = 0): Promise<number> {
  let number = first;
  for (const output of outputs) number = await append(ports, job, number, { output });
  return number;
}

const textOf = async ({ endpoint, id }: RunningJob, over = ports) => String(await status(over, { endpoint, id }));
const recordOf = async (job: RunningJob) => JSON.parse(await textOf(job)) as Readonly<Record<string, unknown>>;

const FIRST = ['{ "n":-0, "s":"\\u00e9" }', '12345678901234567890', `"${'é'.repeat(payloadLimits.item)}"`];

async function loseTwice(job: RunningJob): Promise<RunningJob> {
  let last = job;
  for (const worker of ['w2', 'w3']) {
    await rescue(ports, last, 0, job.generation);
    last = await takeAs(job.endpoint, job.id, true, worker);
  }
  return last;
}

const reported = (report: Report) => async (job: RunningJob) =>
  void (await finish(ports, job, { ...report, chunks: FIRST.length }));

const ends: Readonly<Record<string, (job: RunningJob) => Promise<void>>> = {
  CANCELLED: async (job) => void (await cancel(ports, job)),
  EXECUTION_TIMEOUT: async () => emulated.clock.advance(TIMEOUT + 1 + REPORT_GRACE),
  WORKER_ERROR: reported({ error: 'no' }),
  RESULT_NOT_REPORTED: reported({ error: 'no', code: 'RESULT_NOT_REPORTED' }),
  WORKER_LOST: async (job) => void (await rescue(ports, job, 0, job.generation)),
};

describe('the output of a job whose worker aggregates', () => {
  it.each(Object.entries(ends))(
    'is the array of its valid chunks, byte for byte, in records and webhooks, if the job ends with %s',
    async (code, end) => {
      const endpoint = `so-${code.toLowerCase().replaceAll('_', '-')}`;
      const begun = await started(endpoint);
      const job = code === 'WORKER_LOST' ? await loseTwice(begun) : begun;
      const count = await appendAll(job, FIRST);
      expect(await recordOf(job)).not.toHaveProperty('output');
      await end(job);
      emulated.clock.advance(1);
      await appendAll(job, ['"too late"'], count);
      const text = await textOf(job);
      expect(JSON.parse(text)).toMatchObject({ code });
      expect(text).toContain(`"output":[${FIRST.join(',')}]`);
      const stored = await ports.jobs.read(job);
      expect(stored && (await endedRecordOf(ports, stored))).toContain(`"output":[${FIRST.join(',')}]`);
    },
  );

  it('is missing without a chunk, and is the output that the worker itself has reported', async () => {
    const none = await started('so-none');
    await cancel(ports, none);
    expect(await recordOf(none)).not.toHaveProperty('output');
    const own = await started('so-own');
    await finish(ports, own, { output: '"own"', error: 'no', chunks: await appendAll(own, ['1']) });
    expect(await recordOf(own)).toMatchObject({ status: 'FAILED', output: 'own' });
  });

  it('contains a large object as a whole, and not its first parts', async () => {
    const object = `{"text":"${'🙂\\"'.repeat(payloadLimits.chunk / 5)}","n":-0}`;
    const job = await started('so-parts');
    const count = await append(ports, job, await append(ports, job, 0, { output: object }), { output: '2' });
    await finish(ports, job, { error: 'no', chunks: count });
    expect((await textOf(job)).includes(`"output":[${object},2]`)).toBe(true);

    const cut = await started('so-cut');
    await append(ports, cut, 1, { output: object });
    await append(ports, cut, 0, { output: '1' });
    await finish(ports, cut, { error: 'no', chunks: 2 });
    expect(await recordOf(cut)).toMatchObject({ output: [1] });
  });

  it('has up to 20 MB, and is missing if it would have more', async () => {
    const chunk = `"${'x'.repeat(payloadLimits.chunk - 1_000)}"`;
    const fitting = Math.floor((payloadLimits.output - '[]'.length) / `,${chunk}`.length);
    // No comma precedes the first value.
    const left = payloadLimits.output - '['.length - fitting * `,${chunk}`.length;
    for (const [endpoint, size] of Object.entries({ 'so-fits': left, 'so-large': left + 1 })) {
      const job = await started(endpoint);
      const last = `"${'x'.repeat(size - ',""'.length)}"`;
      await appendAll(job, [...Array.from({ length: fitting }, () => chunk), last]);
      await cancel(ports, job);
      const text = await textOf(job);
      const isShown = text.length > payloadLimits.output - ','.length;
      expect([endpoint, isShown, text.includes('"output"')]).toEqual([endpoint, size === left, size === left]);
    }
  }, 30_000);

  it('has its complete values if an incomplete value follows that would not fit', async () => {
    const job = await started('so-incomplete');
    await cancel(ports, job);
    const value = `"${'x'.repeat(payloadLimits.chunk - 1_000)}"`;
    const complete = Math.floor(payloadLimits.output / `,${value}`.length);
    async function* list(): ReturnType<Chunks['list']> {
      for (let number = 0; number < complete; number += 1) yield { number, chunk: { output: { inline: value } } };
      yield { number: complete, chunk: { output: { inline: value }, part: 1, parts: 2 } };
    }
    const text = await textOf(job, portsWith(ports, { chunks: { ...ports.chunks, list } }));
    expect((JSON.parse(text) as { output: string[] }).output).toHaveLength(complete);
  }, 30_000);

  it('is missing if it would have more than 100,000 values', async () => {
    const job = await started('so-many');
    await cancel(ports, job);
    const listing = (length: number) => {
      async function* list(): ReturnType<Chunks['list']> {
        for (let number = 0; number < length; number += 1) yield { number, chunk: { output: { inline: '1' } } };
      }
      return portsWith(ports, { chunks: { ...ports.chunks, list } });
    };
    const full = JSON.parse(await textOf(job, listing(MAX_OUTPUT_VALUES))) as { output: number[] };
    expect(full.output).toHaveLength(MAX_OUTPUT_VALUES);
    expect(JSON.parse(await textOf(job, listing(MAX_OUTPUT_VALUES + 1)))).not.toHaveProperty('output');
  });
});

describe('the output of a job whose worker is not known to aggregate', () => {
  it('is missing, although the chunks are stored', async () => {
    await emulated.deploy('so-plain');
    const job = await takeAs('so-plain', await submitJob(ports, 'so-plain'));
    await appendAll(job, FIRST);
    await cancel(ports, job);
    expect(await recordOf(job)).not.toHaveProperty('output');
  });

  it('is missing after a retry on such a worker, and while the job waits for it', async () => {
    const job = await started('so-retry');
    await finish(ports, job, { error: 'no', chunks: await appendAll(job, ['1']) });
    expect(await recordOf(job)).toMatchObject({ output: [1] });
    await retry(ports, job);
    expect(await ports.jobs.read(job)).not.toHaveProperty('aggregates');
    expect(await recordOf(job)).not.toHaveProperty('output');
    const again = await takeAs('so-retry', job.id, undefined, 'w2');
    await finish(ports, again, { error: 'no', chunks: await appendAll(again, ['2']) });
    expect(await recordOf(job)).not.toHaveProperty('output');
  });

  it('is missing if the job is requeued and then cancelled in the queue', async () => {
    const job = await started('so-requeue');
    await appendAll(job, ['1']);
    await rescue(ports, job, 0, job.generation);
    expect(await ports.jobs.read(job)).not.toHaveProperty('aggregates');
    await cancel(ports, job);
    expect(await recordOf(job)).not.toHaveProperty('output');
  });
});
