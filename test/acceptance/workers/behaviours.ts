/** Tests the behaviours of all kinds of workers. Kinds without a behaviour have a test of their actual behaviour. */
import { createHash } from 'node:crypto';
import { expect } from '@jest/globals';
import { STOP_LIMIT } from '../../../core/limits.ts';
import { eventually, holdingFile } from '../local-service.ts';
import type { Handler, Kind } from './kinds.ts';
import type { JobRecord, Place } from './place.ts';

type Check = (place: Place) => Promise<void>;

export interface Behaviour {
  /** Title of the test. It completes "a worker …". */
  readonly name: string;
  /** Kind of handler that has the behaviour. */
  readonly of: Handler;
  readonly check: Check;
  /** Kinds without this behaviour, with the reason and the check of their actual behaviour. */
  readonly instead?: Readonly<Partial<Record<Kind, { readonly because: string; readonly check: Check }>>>;
}

const MB = 1024 * 1024;
/** Milliseconds of a job that is still running when the container of an unstoppable job would be stopped. */
const OUTLASTS = STOP_LIMIT + 7_000;
const FOREVER = 300_000;
const SECRET = 'a secret of the client';

const submitSome = (place: Place, count: number, input: object) =>
  Promise.all(Array.from({ length: count }, () => place.submit(input)));

/** Waits for jobs that complete in their first attempt, on the same worker. */
async function completeAll(place: Place, ids: readonly string[], worker?: string): Promise<JobRecord[]> {
  const records = await Promise.all(ids.map((id) => place.ended(id)));
  expect(records.map(({ status, attempts }) => ({ status, attempts }))).toEqual(
    ids.map(() => ({ status: 'COMPLETED', attempts: 1 })),
  );
  expect(new Set(records.map(({ workerId }) => workerId))).toEqual(new Set([worker ?? records[0]?.workerId]));
  return records;
}

const fails = (input: object, error: string) => async (place: Place) =>
  expect(await place.outcome(input)).toMatchObject({
    status: 'FAILED',
    code: 'WORKER_ERROR',
    error: expect.stringContaining(error),
    attempts: 1,
  });

const completes =
  (input: object, output: unknown): Check =>
  async (place) => {
    const { status, output: got } = await place.outcome(input);
    expect({ status, output: got }).toEqual({ status: 'COMPLETED', output });
  };

const isReplaced =
  (end: (place: Place) => Promise<JobRecord>): Check =>
  async (place) => {
    const before = await end(place);
    const { status, workerId } = await place.outcome({ text: 'later' });
    expect(status).toBe('COMPLETED');
    expect(before.workerId).toEqual(expect.any(String));
    expect(workerId).not.toBe(before.workerId);
  };

/**
 * Ends a stream by a cancel, one by a failure and one by its time-out.
 * @returns their records and chunks
 */
async function endStreams(place: Place): Promise<(JobRecord & { readonly chunks: readonly unknown[] })[]> {
  const endless = { do: 'stream', chunks: FOREVER, ms: 100 };
  const cancelled = await place.submit(endless);
  await eventually('five chunks exist', async () => (await place.chunks(cancelled))[4], { every: 250 });
  await place.cancel(cancelled);
  const ids = [
    cancelled,
    await place.submit({ do: 'stream', chunks: 6, fail: 5 }),
    await place.submit(endless, { policy: { executionTimeout: 5_001 } }),
  ];
  const statuses = ['CANCELLED', 'FAILED', 'TIMED_OUT'];
  return Promise.all(
    ids.map(async (id, n) => {
      const record = await place.ended(id);
      expect(record).toMatchObject({ status: statuses[n] });
      return { ...record, chunks: await place.chunks(id) };
    }),
  );
}

/**
 * Cancels a job whose handler cannot notice the cancellation.
 * @param input how long the job computes
 * @param release ends the part of the computation that waits for the cancellation
 * @returns the worker that ran the job, and the record of the next job
 */
async function cancelDeaf(
  place: Place,
  input: object,
  release: () => void = () => undefined,
): Promise<{ before: string | undefined; after: JobRecord }> {
  const id = await place.submit({ do: 'compute', ...input });
  const { workerId: before } = await place.running(id);
  await place.cancel(id);
  expect(await place.ended(id)).toMatchObject({ status: 'CANCELLED' });
  release();
  const after = await place.outcome({ text: 'later' });
  expect(after).toMatchObject({ status: 'COMPLETED', attempts: 1 });
  return { before, after };
}

export const behaviours: readonly Behaviour[] = [
  {
    name: 'gets the input of its job, and returns the output',
    of: 'plain',
    async check(place) {
      const input = { text: 'hé "llo"\n', n: [1, null] };
      expect(await place.outcome(input)).toMatchObject({ status: 'COMPLETED', output: { echo: input }, attempts: 1 });
    },
  },
  {
    name: 'gets the input and returns the output with an asynchronous handler',
    of: 'concurrent',
    async check(place) {
      const input = { text: 'hello', ms: 100 };
      expect(await place.outcome(input)).toMatchObject({ status: 'COMPLETED', output: { echo: input }, attempts: 1 });
    },
  },
  {
    name: 'streams each item when its generator yields it',
    of: 'stream',
    async check(place) {
      const { until, release } = holdingFile();
      const id = await place.submit({ do: 'stream', chunks: 3, until });
      const seen = await eventually('the first chunk exists', async () => (await place.chunks(id))[0], {
        every: 250,
      });
      expect([seen, (await place.status(id)).status]).toEqual([{ n: 0 }, 'IN_PROGRESS']);
      release();
      expect(await place.ended(id)).toMatchObject({ status: 'COMPLETED', output: [] });
      expect(await place.chunks(id)).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
    },
  },
  {
    name: 'returns its whole stream as output if it aggregates',
    of: 'aggregate',
    async check(place) {
      const id = await place.submit({ do: 'stream', chunks: 2 });
      expect(await place.ended(id)).toMatchObject({ status: 'COMPLETED', output: [{ n: 0 }, { n: 1 }] });
      expect(await place.chunks(id)).toEqual([{ n: 0 }, { n: 1 }]);
    },
    instead: {
      http: {
        because: "the worker's answer is either a stream or an output, and the output of a stream is empty",
        async check(place) {
          const id = await place.submit({ do: 'stream', chunks: 2 });
          expect(await place.ended(id)).toMatchObject({ status: 'COMPLETED', output: [] });
          expect(await place.chunks(id)).toEqual([{ n: 0 }, { n: 1 }]);
        },
      },
    },
  },
  {
    name: 'has its chunks as output after a cancel, a failure and a time-out, if it has aggregated before',
    of: 'aggregate',
    async check(place) {
      const { workerId } = await place.outcome({ do: 'stream', chunks: 1 });
      for (const { chunks, ...record } of await endStreams(place)) {
        const output = record.output as unknown[];
        expect(output.length).toBeGreaterThan(0);
        // A write that was in flight at the end can add chunks after the first read.
        expect(record).toMatchObject({ workerId, output: chunks.slice(0, output.length) });
      }
    },
    instead: {
      http: {
        because: "the worker's answer is either a stream or an output, so it never aggregates",
        async check(place) {
          await place.outcome({ do: 'stream', chunks: 1 });
          for (const record of await endStreams(place)) expect(record).not.toHaveProperty('output');
        },
      },
    },
  },
  {
    name: 'fails a job whose generator raises, and keeps its chunks',
    of: 'stream',
    async check(place) {
      const id = await place.submit({ do: 'stream', chunks: 3, fail: 1, ms: 100 });
      const error = expect.stringContaining(
        place.endpoint === 'http' ? 'interrupted its response' : 'the stream broke',
      );
      expect(await place.ended(id)).toMatchObject({ status: 'FAILED', error, attempts: 1 });
      expect(await place.chunks(id)).toEqual([{ n: 0 }]);
    },
  },
  {
    name: 'reports its progress',
    of: 'concurrent',
    async check(place) {
      const { until, release } = holdingFile();
      const id = await place.submit({ do: 'progress', until });
      const { output } = await place.running(id, (record) => record.output !== undefined);
      expect(output).toEqual({ step: 1 });
      release();
      expect(await place.ended(id)).toMatchObject({ status: 'COMPLETED', output: { echo: { do: 'progress' } } });
    },
    instead: {
      http: {
        because: 'a request cannot report anything before its response',
        async check(place) {
          const { until, release } = holdingFile();
          const id = await place.submit({ do: 'progress', until });
          expect(await place.running(id)).not.toHaveProperty('output');
          release();
          expect(await place.ended(id)).toMatchObject({ status: 'COMPLETED', output: { echo: { do: 'progress' } } });
        },
      },
    },
  },
  {
    name: 'runs four jobs at the same time',
    of: 'concurrent',
    async check(place) {
      // Each job ends when its handler sees in the log that all four have started.
      await completeAll(place, await submitSome(place, 4, { do: 'meet', log: place.log }));
    },
  },
  {
    name: 'streams one job while another job is slow',
    of: 'stream',
    async check(place) {
      const slow = await place.submit({ do: 'stream', chunks: 2, ms: FOREVER });
      await eventually('the slow job has begun', async () => (await place.chunks(slow))[0]);
      const fast = await place.submit({ do: 'stream', chunks: 3 });
      expect(await place.ended(fast)).toMatchObject({ status: 'COMPLETED' });
      expect(await place.chunks(fast)).toHaveLength(3);
      expect([await place.chunks(slow), (await place.status(slow)).status]).toEqual([[{ n: 0 }], 'IN_PROGRESS']);
      await place.cancel(slow);
      expect(await place.ended(slow)).toMatchObject({ status: 'CANCELLED' });
    },
  },
  { name: 'fails a job by raising', of: 'plain', check: fails({ do: 'raise' }, 'no such model') },
  {
    name: 'fails a job by returning an error',
    of: 'plain',
    check: fails({ do: 'error' }, 'the prompt is empty'),
    instead: {
      node: {
        because: 'the Node SDK expects a thrown error: an output may have any members',
        check: completes({ do: 'error' }, { error: 'the prompt is empty', message: 'send a prompt' }),
      },
    },
  },
  {
    name: 'fails a job whose output is not JSON after one attempt, and continues',
    of: 'plain',
    async check(place) {
      const { workerId, ...record } = await place.outcome({ do: 'unserializable' });
      const error = expect.stringContaining('not JSON');
      expect(record).toMatchObject({ status: 'FAILED', code: 'RESULT_NOT_REPORTED', error, attempts: 1 });
      expect(await place.outcome({ text: 'later' })).toMatchObject({ status: 'COMPLETED', workerId });
    },
    instead: {
      node: {
        because: 'the Node SDK reports such an output as an error',
        check: fails({ do: 'unserializable' }, 'BigInt'),
      },
      http: {
        because: 'a text is an output',
        check: completes({ do: 'unserializable' }, '{1, 2}'),
      },
    },
  },
  { name: 'completes a job without output', of: 'plain', check: completes({ do: 'nothing' }, null) },
  {
    name: "gets the client's s3Config",
    of: 'plain',
    async check(place) {
      const output = createHash('sha256').update(SECRET).digest('hex');
      const record = await place.outcome({ do: 's3' }, { s3Config: { accessSecret: SECRET } });
      expect(record).toMatchObject({ status: 'COMPLETED', output });
    },
  },
  {
    name: 'returns 20 MB',
    of: 'plain',
    async check(place) {
      // The size as JSON, including quotes.
      const size = 20 * MB - 2;
      const { status, output, error } = await place.outcome({ do: 'large', size });
      expect({ status, size: String(output).length, error }).toEqual({ status: 'COMPLETED', size, error: undefined });
    },
  },
  {
    name: 'stops a cancelled job, and continues the jobs beside it',
    of: 'concurrent',
    async check(place) {
      const others = await submitSome(place, 3, { ms: OUTLASTS });
      const cancelled = await place.submit({ ms: FOREVER });
      const { workerId } = await place.running(cancelled);
      await place.cancel(cancelled);
      expect(await place.ended(cancelled)).toMatchObject({ status: 'CANCELLED' });
      await completeAll(place, others, workerId);
      // All four slots are free again.
      await completeAll(place, await submitSome(place, 4, { ms: 500 }), workerId);
    },
  },
  {
    name: 'stops a job that exceeds its execution timeout',
    of: 'concurrent',
    async check(place) {
      const record = await place.outcome({ ms: FOREVER }, { policy: { executionTimeout: 5_001 } });
      expect(record).toMatchObject({ status: 'TIMED_OUT', code: 'EXECUTION_TIMEOUT' });
      expect(await place.outcome({ text: 'later' })).toMatchObject({ status: 'COMPLETED', workerId: record.workerId });
    },
  },
  {
    name: 'frees the slot of a cancelled job whose handler ignores the cancellation',
    of: 'plain',
    async check(place) {
      const { before, after } = await cancelDeaf(place, { ms: FOREVER });
      expect(after.workerId).toBe(before);
    },
    instead: {
      python: {
        because: 'a handler that blocks also blocks its SDK, so its container is replaced',
        async check(place) {
          const { until, release } = holdingFile();
          // The container has the usual time to stop, so the handler finishes its computation.
          const { before, after } = await cancelDeaf(place, { ms: 2 * STOP_LIMIT, until }, release);
          expect(after.workerId).not.toBe(before);
        },
      },
      http: {
        because: 'this server finishes its computation after its connection is closed',
        async check(place) {
          const { until, release } = holdingFile();
          const { before, after } = await cancelDeaf(place, { ms: 0, until }, release);
          expect(after.workerId).toBe(before);
        },
      },
    },
  },
  {
    name: 'is replaced after a job that requests it',
    of: 'plain',
    check: isReplaced(async (place) => {
      const record = await place.outcome({ do: 'refresh' });
      expect(record).toMatchObject({ status: 'COMPLETED', output: { done: true } });
      return record;
    }),
  },
];
