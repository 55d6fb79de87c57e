/** How the stream of a job is read while it comes, on a clock that pauses move. */
import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createChunks } from '../../aws/chunks.ts';
import { createDocumentClient } from '../../aws/clients.ts';
import type { Clock } from '../../core/clock.ts';
import { append } from '../../core/jobs/append.ts';
import { chunksOf } from '../../core/jobs/chunk-texts.ts';
import { finish } from '../../core/jobs/finish.ts';
import { type FollowOptions, followChunks } from '../../core/jobs/follow.ts';
import type { Job, JobKey, RunningJob } from '../../core/jobs/job.ts';
import { rescue } from '../../core/jobs/rescue.ts';
import { MINUTE, SECOND } from '../../core/limits.ts';
import type { World } from '../../core/world.ts';
import { type EmulatedWorld, startEmulatedWorld, worldWith } from '../emulated-world.ts';
import { startJob, submitJob, takeJob } from './scripted-job.ts';

let emulated: EmulatedWorld;
let world: World;

beforeAll(async () => {
  emulated = await startEmulatedWorld();
  ({ world } = emulated);
});
afterAll(() => emulated.stop());

interface Event {
  /** Milliseconds after the start. */
  readonly at: number;
  happen(): Promise<unknown>;
}

/** A process that reads while these things happen; it counts its reads. */
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
  const chunks: World['chunks'] = {
    ...world.chunks,
    list(...call) {
      queries.push(now());
      return world.chunks.list(...call);
    },
  };
  const jobs: World['jobs'] = {
    ...world.jobs,
    readMany(keys) {
      looks.push(now());
      return world.jobs.readMany(keys);
    },
  };
  const own = worldWith(world, { clock, chunks, jobs });

  async function follow(key: JobKey, options: Partial<FollowOptions> = {}) {
    const seen: { attempt: number; number: number; output: unknown; at: number }[] = [];
    const found = (await world.jobs.read(key)) as Job;
    let last: Job = found;
    for await (const { job, chunks: portion } of followChunks(own, found, {
      wait: 5 * MINUTE,
      hold: async () => undefined,
      ...options,
    })) {
      for await (const { number, chunk } of portion)
        seen.push({ attempt: job.attempt, number, output: JSON.parse(chunk.output), at: now() });
      last = job;
    }
    return { seen, last };
  }

  return { follow, queries, looks, now };
}

/** What readers of a running job are shown. */
async function outputsOf(job: Job, from = 0): Promise<unknown[]> {
  return (await Array.fromAsync(chunksOf(world, job, from))).map(({ chunk }) => JSON.parse(chunk.output) as unknown);
}

const appended = (job: RunningJob, number: number, at: number): Event => ({
  at,
  happen: () => append(world, job, number, { output: String(at) }),
});

async function streaming(endpoint: string): Promise<RunningJob> {
  await emulated.deploy(endpoint);
  return startJob(world, endpoint);
}

describe('a stream that is followed', () => {
  it('is read within 50 ms for as long as chunks keep coming, with a look at the job once a second', async () => {
    const job = await streaming('fo-a');
    const count = 160;
    const sent = Array.from({ length: count }, (_, n) => 45 * (n + 1));
    const end = 45 * (count + 1);
    const { follow, looks, queries } = reader([
      ...sent.map((at, n) => appended(job, n, at)),
      { at: end, happen: () => finish(world, job, { output: '[]', chunks: count }) },
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
    const key = { endpoint: 'fo-b', id: await submitJob(world, 'fo-b') };
    let job: RunningJob | undefined;
    const { follow, looks } = reader([
      {
        at: MINUTE,
        async happen() {
          job = await takeJob(world, 'fo-b', key.id, 'w1');
        },
      },
      { at: MINUTE + 2_345, happen: () => append(world, job as RunningJob, 0, { output: '1' }) },
      { at: MINUTE + 2_500, happen: () => finish(world, job as RunningJob, { output: '[]', chunks: 1 }) },
    ]);
    const { seen, last } = await follow(key);
    expect(last.status).toBe('COMPLETED');
    expect(seen).toHaveLength(1);
    expect((seen[0]?.at ?? 0) - MINUTE - 2_345).toBeLessThanOrEqual(50);
    const waiting = looks.filter((at) => at > 10 * SECOND && at < 50 * SECOND);
    expect(waiting.length).toBeLessThanOrEqual(40);
  });

  it('begins with the first chunk of each attempt, and says which attempt it is', async () => {
    const first = await streaming('fo-c');
    let second: RunningJob | undefined;
    const { follow } = reader([
      appended(first, 0, 100),
      appended(first, 1, 200),
      { at: 300, happen: () => rescue(world, first, 0, first.generation) },
      {
        at: 500,
        async happen() {
          second = await takeJob(world, 'fo-c', first.id, 'w2');
        },
      },
      { at: 600, happen: () => append(world, second as RunningJob, 0, { output: '600' }) },
      { at: 700, happen: () => finish(world, second as RunningJob, { error: 'no', chunks: 1 }) },
    ]);
    const { seen, last } = await follow(first);
    expect(seen.map(({ attempt, number, output }) => [attempt, number, output])).toEqual([
      [1, 0, 100],
      [1, 1, 200],
      [2, 0, 600],
    ]);
    expect(last).toMatchObject({ status: 'FAILED', attempt: 2 });
  });

  it('has all chunks of a job that has ended, from the one on that is wanted', async () => {
    const job = await streaming('fo-d');
    for (const number of [0, 1, 2]) await append(world, job, number, { output: String(number) });
    await finish(world, job, { output: '[]', chunks: 3 });
    const { follow, queries, now } = reader([]);
    const { seen } = await follow(job, { from: async () => 1 });
    expect(seen.map(({ output }) => output)).toEqual([1, 2]);
    expect([queries.length, now()]).toEqual([1, 0]);
  });

  it('is over when its reader has gone, or the wait is', async () => {
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

describe('a batch of chunks of which DynamoDB leaves some out', () => {
  /** Stores one chunk of each batch, and leaves the others out. */
  function throttled(batches: number[]): Pick<DynamoDBDocumentClient, 'send'> {
    const documents = createDocumentClient();
    const send = async ({ input }: BatchWriteCommand) => {
      const [[table, writes] = ['', []]] = Object.entries(input.RequestItems ?? {});
      batches.push(writes.length);
      await documents.send(new BatchWriteCommand({ RequestItems: { [table]: writes.slice(-1) } }));
      const left = writes.slice(0, -1);
      return { UnprocessedItems: left.length > 0 ? { [table]: left } : {} };
    };
    return { send } as unknown as DynamoDBDocumentClient;
  }
  const chunksOn = (documents: Pick<DynamoDBDocumentClient, 'send'>) =>
    createChunks(documents as DynamoDBDocumentClient, 'PAYLOADS_TABLE', emulated.clock);
  const batchOf = (size: number) => Array.from({ length: size }, (_, n) => ({ output: { inline: String(n) } }));

  it('is stored whole', async () => {
    const job = await streaming('sb-a');
    const batches: number[] = [];
    await chunksOn(throttled(batches)).write(job, job.attempt, 0, batchOf(4), job.removeAfter);
    expect(batches).toEqual([4, 3, 2, 1]);
    expect(await outputsOf(job)).toEqual([0, 1, 2, 3]);
  });

  it('fails if it does not end, and shows readers no chunk before those ahead of it', async () => {
    const job = await streaming('sb-b');
    const write = chunksOn(throttled([])).write(job, job.attempt, 0, batchOf(8), job.removeAfter);
    await expect(write).rejects.toThrow('left chunks');
    expect(await outputsOf(job)).toEqual([]);
    await world.chunks.write(job, job.attempt, 0, batchOf(1), job.removeAfter);
    expect(await outputsOf(job)).toEqual([0]);
    expect(await outputsOf(job, 1)).toEqual([]);
    await world.chunks.write(job, job.attempt, 0, batchOf(8), job.removeAfter);
    expect(await outputsOf(job)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});

describe('a batch of chunks that is being stored', () => {
  it('is shown up to the first chunk that is missing, and from there when it is there', async () => {
    const job = await streaming('fo-f');
    const { follow } = reader([
      appended(job, 0, 100),
      appended(job, 3, 200),
      appended(job, 2, 300),
      appended(job, 1, 400),
      { at: 600, happen: () => finish(world, job, { output: '[]', chunks: 4 }) },
    ]);
    const { seen } = await follow(job);
    expect(seen.map(({ number, output }) => [number, output])).toEqual([
      [0, 100],
      [1, 400],
      [2, 300],
      [3, 200],
    ]);
  });
});
