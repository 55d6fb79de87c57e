/** Tests how the agent stores chunks, with a store and a clock that the test controls. */

import { describe, expect, it } from '@jest/globals';
import type { Clock } from '../../core/clock.ts';
import type { RunningJob } from '../../core/jobs/job.ts';
import { payloadLimits, SECOND } from '../../core/limits.ts';
import { PayloadTooLarge } from '../../core/requests/errors.ts';
import { type Chunks, chunkBuffer, chunkWrites } from '../../core/streams/store.ts';
import { createChunkStream } from '../../worker/agent/chunk-stream.ts';
import { log } from './agents.ts';

const job = {
  endpoint: 'echo',
  id: 'job',
  worker: 'w1',
  attempt: 1,
  executionDeadline: 0,
  retention: 0,
} as unknown as RunningJob;

/** More failures than any test has writes. */
const ALWAYS = 1_000;

/** Runs all callbacks that wait neither for the store nor for the clock. */
const idle = () => new Promise((resolve) => setImmediate(resolve));

interface Write {
  readonly at: number;
  readonly first: number;
  readonly outputs: readonly string[];
}

/** Creates a chunk stream. The test controls when time passes and when writes finish. */
function stage() {
  let now = 0;
  const pauses: { readonly until: number; readonly end: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    pause: (milliseconds) => new Promise((end) => pauses.push({ until: now + milliseconds, end })),
  };
  const writes: Write[] = [];
  const stored = new Map<number, string>();
  let gate: Promise<void> | undefined;
  let open = (): void => undefined;
  let failures = 0;
  const chunks: Chunks = {
    async write(_key, _attempt, first, batch) {
      const outputs = batch.map(({ output }) => ('inline' in output ? output.inline : 'an object'));
      writes.push({ at: now, first, outputs });
      await gate;
      for (const [n, output] of outputs.entries()) stored.set(first + n, output);
      // Part of a batch may be stored although its response is lost.
      if (failures-- > 0) throw new Error('The table does not exist.');
    },
    list: () => {
      throw new Error('A worker reads no chunks.');
    },
  };
  const objects = { write: async () => undefined, read: async () => new Uint8Array() };
  const stream = createChunkStream({ chunks, clock, objects }, job, log);
  return {
    stream,
    writes,
    /** Returns the stored outputs, in the order of their numbers. */
    shown: () => [...stored].toSorted(([one], [other]) => one - other).map(([, output]) => output),
    send: (output: string) => stream.append({ output }),
    /** Blocks all later writes. */
    shut() {
      gate = new Promise((end) => {
        open = end;
      });
    },
    async release() {
      open();
      gate = undefined;
      await idle();
    },
    /** Makes the next `times` writes fail. */
    fail(times: number) {
      failures = times;
    },
    async pass(milliseconds: number) {
      const until = now + milliseconds;
      for (;;) {
        await idle();
        const next = Math.min(...pauses.map((pause) => pause.until));
        if (next > until) break;
        now = Math.max(now, next);
        for (const pause of pauses.filter((each) => each.until <= now)) {
          pauses.splice(pauses.indexOf(pause), 1);
          pause.end();
        }
      }
      now = until;
    },
  };
}

const isOpen = async (promise: Promise<unknown>) => {
  await idle();
  return (await Promise.race([promise, Promise.resolve('open')])) === 'open';
};

describe('the chunk stream of a job', () => {
  it('stores the first chunk immediately', async () => {
    const { send, writes } = stage();
    await send('"a"');
    expect(writes).toEqual([{ at: 0, first: 0, outputs: ['"a"'] }]);
  });
});

describe('the chunk stream of a job that streams without a pause', () => {
  it('stores chunks in at most 20 writes a second, each under its number', async () => {
    const { send, writes, shown, pass, stream } = stage();
    const outputs = Array.from({ length: 200 }, (_, n) => String(n));
    for (const output of outputs) {
      await send(output);
      await pass(10);
    }
    const counted = stream.count();
    await pass(SECOND);
    expect(await counted).toBe(200);
    expect(shown()).toEqual(outputs);
    expect(writes.length).toBeLessThanOrEqual(41);
    const pauses = writes.slice(1).map(({ at }, n) => at - (writes[n]?.at ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(chunkWrites.every);
    expect(writes.flatMap((write) => write.outputs)).toEqual(outputs);
  });

  it('stores a chunk after 50 ms at the latest', async () => {
    const { send, writes, pass } = stage();
    for (const output of ['1', '2', '3']) {
      await send(output);
      await pass(70);
    }
    expect(writes.map(({ at }) => at)).toEqual([0, 70, 140]);
  });

  it('stores at most 100 chunks in one write', async () => {
    const { send, writes, pass, stream, shut, release } = stage();
    shut();
    for (let n = 0; n < 220; n += 1) await send(String(n));
    await release();
    await pass(SECOND);
    expect(await stream.count()).toBe(220);
    expect(writes.map(({ first, outputs }) => [first, outputs.length])).toEqual([
      [0, 1],
      [1, 100],
      [101, 100],
      [201, 19],
    ]);
  });
});

describe('the chunk stream of a job with a full buffer', () => {
  it.each([
    ['chunks', chunkBuffer.chunks, '1'],
    ['bytes', chunkBuffer.bytes / 4_096, `"${'é'.repeat(2_047)}"`],
  ])(
    'accepts the next chunk only when there is room, if the buffer has the maximum number of %s',
    async (_, room, output) => {
      const { send, shut, release, pass, stream } = stage();
      shut();
      for (let n = 0; n < room; n += 1) await send(output);
      const next = send('"next"');
      expect(await isOpen(next)).toBe(true);
      await release();
      await pass(SECOND);
      await next;
      const counted = stream.count();
      await pass(SECOND);
      expect(await counted).toBe(room + 1);
    },
  );

  it('immediately refuses a chunk that is too large, although its buffer is full', async () => {
    const { send, shut } = stage();
    shut();
    for (let n = 0; n < chunkBuffer.chunks; n += 1) await send('1');
    await expect(send(JSON.stringify('x'.repeat(payloadLimits.output)))).rejects.toThrow(PayloadTooLarge);
  });

  it.each([
    ['accepts the waiting chunk when a failed write is retried', 1],
    ['refuses the waiting chunk if the store fails for a minute, and stores it once if it is sent again', ALWAYS],
  ])('%s', async (_, failures) => {
    const { send, shut, fail, release, pass, stream, shown } = stage();
    shut();
    for (let n = 0; n < chunkBuffer.chunks; n += 1) await send(String(n));
    const next = send('"next"').then(
      () => 'taken',
      ({ message }: Error) => message,
    );
    fail(failures);
    await release();
    await pass(failures === ALWAYS ? chunkWrites.patience + 2 * SECOND : 2 * SECOND);
    expect(await next).toBe(failures === ALWAYS ? 'The table does not exist.' : 'taken');
    fail(0);
    const again = failures === ALWAYS ? send('"next"') : undefined;
    await pass(4 * SECOND);
    await again;
    const counted = stream.count();
    await pass(SECOND);
    expect(await counted).toBe(chunkBuffer.chunks + 1);
    expect(shown().slice(-2)).toEqual([String(chunkBuffer.chunks - 1), '"next"']);
  });
});

describe('the chunk stream of a job with a chunk larger than the buffer', () => {
  const large = JSON.stringify('x'.repeat(chunkBuffer.bytes));

  it('accepts a chunk larger than the buffer when earlier chunks and that chunk are stored, and then later chunks', async () => {
    const { send, shut, release, pass, stream, writes } = stage();
    shut();
    await send('1');
    const answered = send(large);
    const after = send('2');
    expect(await isOpen(answered)).toBe(true);
    await release();
    await Promise.all([answered, after]);
    await pass(SECOND);
    expect(await stream.count()).toBe(3);
    expect(writes.map(({ outputs }) => outputs)).toEqual([['1'], ['an object'], ['2']]);
  });

  it('stores a chunk larger than the buffer under the same number if it is sent again after a failure', async () => {
    const { send, fail, stream, writes } = stage();
    fail(1);
    await expect(send(large)).rejects.toThrow('The table does not exist.');
    await send(large);
    expect(writes.map(({ first }) => first)).toEqual([0, 0]);
    expect(await stream.count()).toBe(1);
  });

  it('leaves nothing of a failed large chunk in the items of other chunks if it is not sent again', async () => {
    const { send, fail, pass, stream, writes } = stage();
    await send('0');
    await pass(10);
    fail(1);
    await expect(send(large)).rejects.toThrow('The table does not exist.');
    for (const output of ['1', '2', '3', '4']) await send(output);
    await pass(SECOND);
    expect(await stream.count()).toBe(5);
    // The second write is that of the large chunk. The chunk with its number replaces it in a separate item.
    expect(writes.map(({ first, outputs }) => [first, outputs.length])).toEqual([
      [0, 1],
      [1, 1],
      [1, 1],
      [2, 3],
    ]);
  });
});

describe('the chunk stream of a job whose store fails', () => {
  it('neither loses nor duplicates an accepted chunk while its store fails', async () => {
    const { send, fail, pass, shown, stream, writes } = stage();
    fail(3);
    const outputs = Array.from({ length: 30 }, (_, n) => String(n));
    for (const output of outputs) await send(output);
    await pass(50);
    await send('30');
    outputs.push('30');
    await pass(3 * SECOND);
    expect(await stream.count()).toBe(31);
    expect(shown()).toEqual(outputs);
    // The pauses grow, and the chunks remain the same.
    expect(writes.map(({ at, first, outputs: { length } }) => [at, first, length])).toEqual([
      [0, 0, 1],
      [100, 0, 1],
      [300, 0, 1],
      [700, 0, 1],
      [750, 1, 30],
    ]);
  });

  it('delays the report of the job until the chunks are stored', async () => {
    const { send, fail, pass, stream } = stage();
    fail(2);
    await send('1');
    const counted = stream.count();
    await pass(SECOND);
    expect(await counted).toBe(1);
  });

  it('fails the report of the job after a minute, and counts all chunks when the store works again', async () => {
    const { send, fail, pass, stream } = stage();
    fail(ALWAYS);
    await send('1');
    const counted = expect(stream.count()).rejects.toThrow('The table does not exist.');
    await pass(chunkWrites.patience + 2 * SECOND);
    await counted;
    fail(0);
    const again = stream.count();
    await pass(4 * SECOND);
    expect(await again).toBe(1);
  });
});

describe('the chunk stream of a job that is no longer held', () => {
  it('writes nothing after its stop, and drops later chunks', async () => {
    const { send, stream, writes, pass, shut, release } = stage();
    shut();
    await send('1');
    await send('2');
    stream.stop();
    await release();
    await send('3');
    await pass(SECOND);
    expect(writes).toHaveLength(1);
    await stream.count();
  });

  it('wakes the callers that wait for room when it stops', async () => {
    const { send, stream, shut } = stage();
    shut();
    for (let n = 0; n < chunkBuffer.chunks; n += 1) await send('1');
    const next = send('2');
    stream.stop();
    await next;
  });
});
