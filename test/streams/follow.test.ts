/** Reads the stream of a job while its chunks arrive, with a clock that pauses advance. */

import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { createDocumentClient } from '../../aws/clients.ts';
import { portsWith } from '../../aws/ports.ts';
import type { Clock } from '../../core/clock.ts';
import { partitionOf } from '../../core/jobs/id.ts';
import type { Job, JobKey, RunningJob } from '../../core/jobs/job.ts';
import type { Jobs } from '../../core/jobs/store.ts';
import { MINUTE, payloadLimits, SECOND } from '../../core/limits.ts';
import { append, storePieces } from '../../core/streams/append.ts';
import { elementText } from '../../core/streams/chunk.ts';
import { type FollowOptions, followChunks } from '../../core/streams/follow.ts';
import { chunksOf } from '../../core/streams/read.ts';
import type { Chunks } from '../../core/streams/store.ts';
import { finish } from '../../core/workers/report.ts';
import { rescue } from '../../core/workers/rescue.ts';
import { startJob, submitJob, takeJob } from '../jobs/scripted-job.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { ports } = emulated;

interface Event {
  /** Milliseconds after the start of the reader. */
  readonly at: number;
  happen(): Promise<unknown>;
}

/** Starts a reader in which these events happen during its pauses, and counts its reads. */
function reader(events: readonly Event[]) {
  const start = emulated.clock.now();
  const left = events.toSorted((one, other) => one.at - other.at);
  const now = () => emulated.clock.now() - start;
  const clock: Clock = {
    now: () => emulated.clock.now(),
    async pause(milliseconds) {
      const until = now() + milliseconds;
      while (left[0] && left[0].at <= until) {
        const { at, happen } = left.shift() as Event;
        emulated.clock.advance(Math.max(0, at - now()));
        await happen();
      }
      emulated.clock.advance(Math.max(0, until - now()));
    },
  };
  const [queries, looks]: [number[], number[]] = [[], []];
  const chunks: Chunks = {
    ...ports.chunks,
    list(...call) {
      queries.push(now());
      return ports.chunks.list(...call);
    },
  };
  const jobs: Jobs = {
    ...ports.jobs,
    readMany(keys) {
      looks.push(now());
      return ports.jobs.readMany(keys);
    },
  };
  const own = portsWith(ports, { clock, chunks, jobs });

  async function follow(key: JobKey, options: Partial<FollowOptions> = {}) {
    const seen: { attempt: number; number: number; output: unknown; at: number }[] = [];
    const found = (await ports.jobs.read(key)) as Job;
    let last: Job = found;
    for await (const { job, chunks: portion } of followChunks(own, found, {
      wait: 5 * MINUTE,
      ...options,
    })) {
      for await (const { number, output } of portion)
        seen.push({ attempt: job.attempt, number, output: JSON.parse(output), at: now() });
      last = job;
    }
    return { seen, last };
  }

  return { follow, queries, looks, now };
}

const appended = (job: RunningJob, number: number, at: number): Event => ({
  at,
  happen: () => append(ports, job, number, { output: String(at) }),
});

async function streaming(endpoint: string): Promise<RunningJob> {
  await emulated.deploy(endpoint);
  return startJob(ports, endpoint);
}

describe('a stream that is followed', () => {
  it('is read within 50 ms while chunks keep arriving, and its job once a second', async () => {
    const job = await streaming('fo-a');
    const count = 160;
    const sent = Array.from({ length: count }, (_, n) => 45 * (n + 1));
    const end = 45 * (count + 1);
    const { follow, looks, queries } = reader([
      ...sent.map((at, n) => appended(job, n, at)),
      { at: end, happen: () => finish(ports, job, { output: '[]', chunks: count }) },
    ]);
    const { seen, last } = await follow(job);
    expect(last.status).toBe('COMPLETED');
    expect(seen.map(({ number, output }) => [number, output])).toEqual(sent.map((at, n) => [n, at]));
    expect(Math.max(...seen.map(({ at, output }) => at - Number(output)))).toBeLessThanOrEqual(50);
    expect(queries.length).toBeLessThanOrEqual(end / 50 + 3);
    const during = looks.filter((at) => at > SECOND && at < end);
    expect(during.length).toBeLessThanOrEqual(end / SECOND);
  });

  it('is read soon after its first chunk, although the job waited for a minute', async () => {
    await emulated.deploy('fo-b');
    const key = { endpoint: 'fo-b', id: await submitJob(ports, 'fo-b') };
    let job: RunningJob | undefined;
    const { follow, looks } = reader([
      {
        at: MINUTE,
        async happen() {
          job = await takeJob(ports, 'fo-b', key.id, 'w1');
        },
      },
      { at: MINUTE + 2_345, happen: () => append(ports, job as RunningJob, 0, { output: '1' }) },
      { at: MINUTE + 2_500, happen: () => finish(ports, job as RunningJob, { output: '[]', chunks: 1 }) },
    ]);
    const { seen, last } = await follow(key);
    expect(last.status).toBe('COMPLETED');
    expect(seen).toHaveLength(1);
    expect((seen[0]?.at ?? 0) - MINUTE - 2_345).toBeLessThanOrEqual(50);
    const waiting = looks.filter((at) => at > 10 * SECOND && at < 50 * SECOND);
    expect(waiting.length).toBeLessThanOrEqual(40);
  });

  it('begins with the first chunk of each attempt, and contains the attempt', async () => {
    const first = await streaming('fo-c');
    let second: RunningJob | undefined;
    const { follow } = reader([
      appended(first, 0, 100),
      appended(first, 1, 200),
      { at: 300, happen: () => rescue(ports, first, 0, first.generation) },
      {
        at: 500,
        async happen() {
          second = await takeJob(ports, 'fo-c', first.id, 'w2');
        },
      },
      { at: 600, happen: () => append(ports, second as RunningJob, 0, { output: '600' }) },
      { at: 700, happen: () => finish(ports, second as RunningJob, { error: 'no', chunks: 1 }) },
    ]);
    const { seen, last } = await follow(first);
    expect(seen.map(({ attempt, number, output }) => [attempt, number, output])).toEqual([
      [1, 0, 100],
      [1, 1, 200],
      [2, 0, 600],
    ]);
    expect(last).toMatchObject({ status: 'FAILED', attempt: 2 });
  });

  it('contains all chunks of a job that has ended, starting at the requested chunk', async () => {
    const job = await streaming('fo-d');
    for (const number of [0, 1, 2]) await append(ports, job, number, { output: String(number) });
    await finish(ports, job, { output: '[]', chunks: 3 });
    const { follow, queries, now } = reader([]);
    const { seen } = await follow(job, { from: async () => 1 });
    expect(seen.map(({ output }) => output)).toEqual([1, 2]);
    expect([queries.length, now()]).toEqual([1, 0]);
  });

  it('ends when its reader has disconnected or the wait is over', async () => {
    const job = await streaming('fo-e');
    const gone = new AbortController();
    const left = reader([{ at: 2 * SECOND, happen: async () => gone.abort() }]);
    expect((await left.follow(job, { gone: gone.signal })).last.status).toBe('IN_PROGRESS');
    expect(left.now()).toBeLessThanOrEqual(2 * SECOND + 50);
    const waited = reader([appended(job, 0, 9_990)]);
    const { seen } = await waited.follow(job, { wait: 10 * SECOND });
    expect([seen.length, waited.now()]).toEqual([1, 10 * SECOND]);
  });
});

describe('chunks that were stored together', () => {
  const batch = ['"a"', '{ "n":-0 }', '"\\u00e9🙂,\\""', '[1e1]'];
  const stored = batch.map((output, n) => ({ output: { inline: output }, metrics: `{"running":${n}}` }));
  const texts = batch.map((output, n) => `{"output":${output},"metrics":{"stream_index":${n + 1},"running":${n}}}`);

  /** Chunk 0, and four other chunks in one item. */
  async function withBatch(endpoint: string): Promise<RunningJob> {
    const job = await streaming(endpoint);
    await append(ports, job, 0, { output: '0' });
    await ports.chunks.write(job, job.attempt, 1, stored, job.removeAfter);
    return job;
  }
  const read = (job: Job, from: number) => Array.fromAsync(chunksOf(ports, job, from));

  it('are read unchanged, starting at any chunk, each with its number', async () => {
    const job = await withBatch('fo-f');
    for (const from of [1, 2, 4, 5]) {
      const chunks = await read(job, from);
      expect(chunks.map(({ number, output, text }) => [number, output, text])).toEqual(
        texts.map((text, n) => [n + 1, batch[n], text]).slice(from - 1),
      );
    }
    await append(ports, job, 5, { output: '"next"' });
    expect((await read(job, 3)).map(({ number }) => number)).toEqual([3, 4, 5]);
  });

  it('are one item, which costs a unit for each KB and not for each chunk', async () => {
    const job = await withBatch('fo-g');
    const items = await createDocumentClient().send(
      new QueryCommand({
        TableName: 'PAYLOADS_TABLE',
        KeyConditionExpression: '#partition = :partition AND begins_with(#item, :item)',
        ExpressionAttributeNames: { '#partition': 'partition', '#item': 'item' },
        ExpressionAttributeValues: { ':partition': partitionOf(job), ':item': `${job.id}#chunk#` },
      }),
    );
    expect(items.Items).toHaveLength(2);
    // A version without such items reads the output as one chunk, and so returns all of them.
    const [, several] = (items.Items ?? []) as { output: { inline: string }; metrics: string }[];
    expect(several && elementText(4, { ...several, output: several.output.inline })).toBe(texts.join(','));
  });

  it('are stored once if a failed write is retried with more chunks', async () => {
    const job = await withBatch('fo-h');
    const more = [...stored, { output: { inline: '"more"' } }];
    await ports.chunks.write(job, job.attempt, 1, more, job.removeAfter);
    expect((await read(job, 0)).map(({ number }) => number)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('are stored around a chunk that is an object, in order', async () => {
    const job = await streaming('fo-i');
    const large = JSON.stringify('x'.repeat(payloadLimits.item));
    const pieces = ['1', '2', large, '3', '4'].map((output) => ({ output }));
    await storePieces(ports, job, 0, pieces);
    expect((await read(job, 0)).map(({ number, output }) => [number, output])).toEqual(
      pieces.map(({ output }, n) => [n, output]),
    );
  });

  // These sizes match the content, so that only the named fault remains.
  const all = elementText(5, { output: '"junk"' }).length;
  const long = JSON.stringify('x'.repeat(200));
  const allOfLong = elementText(5, { output: long }).length;

  it.each([
    ['sizes that are not numbers', { sizes: ['x'] }],
    ['sizes that do not match its content', { sizes: [3, 1, 4, 1] }],
    ['an odd number of sizes', { sizes: [all] }],
    ['negative sizes', { sizes: [all, 6, -1, 0, -1, 0] }],
    [
      'more sizes than an item can have',
      { output: { inline: long }, sizes: [allOfLong - 100, 0, ...Array(200).fill(0)] },
    ],
    ['a part without a number of parts', { part: 1 }],
    ['a part after the last', { part: 3, parts: 2 }],
    ['a part of any number of parts', { part: 1, parts: 1_000_000_000 }],
    ['a part that is no whole number', { part: 1.5, parts: 2 }],
  ])('are skipped if their item has %s', async (name, junk) => {
    const job = await withBatch(`fo-j-${name.replaceAll(/\W/g, '').slice(0, 30).toLowerCase()}`);
    const item = `${job.id}#chunk#${job.attempt}#${'5'.padStart(10, '0')}`;
    const Item = { partition: partitionOf(job), item, output: { inline: '"junk"' }, ...junk };
    await createDocumentClient().send(new PutCommand({ TableName: 'PAYLOADS_TABLE', Item }));
    expect((await read(job, 4)).map(({ number }) => number)).toEqual([4]);
  });
});
