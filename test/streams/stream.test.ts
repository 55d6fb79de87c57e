import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import type { RunningJob } from '../../core/jobs/job.ts';
import { storeChunkObject } from '../../core/jobs/payload.ts';
import { elementsOf } from '../../core/json/json.ts';
import { MINUTE, payloadLimits, REPORT_GRACE, retention } from '../../core/limits.ts';
import {
  EndpointNotFound,
  InvalidRequest,
  JobExpired,
  JobNotFound,
  PayloadTooLarge,
} from '../../core/requests/errors.ts';
import { append } from '../../core/streams/append.ts';
import type { Chunks } from '../../core/streams/store.ts';
import { stream } from '../../core/streams/stream.ts';
import { retry } from '../../core/submission/retry.ts';
import { finish } from '../../core/workers/report.ts';
import { rescue } from '../../core/workers/rescue.ts';
import { startJob, submitJob, takeJob } from '../jobs/scripted-job.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { ports } = emulated;

async function textOf(key: { endpoint: string; id: string }, from?: string): Promise<string> {
  return (await Array.fromAsync(await stream(ports, { endpoint: key.endpoint, id: key.id, from }))).join('');
}

interface Read {
  readonly output: unknown;
  readonly metrics: Readonly<Record<string, unknown>>;
}

const chunksOf = async (key: { endpoint: string; id: string }, from?: string) =>
  JSON.parse(await textOf(key, from)) as Read[];
const outputsOf = async (key: { endpoint: string; id: string }, from?: string) =>
  (await chunksOf(key, from)).map(({ output }) => output);

const sizeOf = (text: string) => Buffer.byteLength(text);
/** Returns the elements of the array as they are sent. */
const elementsIn = async (key: { endpoint: string; id: string }, from = 0) =>
  elementsOf(await textOf(key, String(from)));

async function appendAll(job: RunningJob, outputs: readonly string[], first = 0): Promise<number> {
  let number = first;
  for (const output of outputs) number = await append(ports, job, number, { output });
  return number;
}

async function streaming(endpoint: string, policy?: object): Promise<RunningJob> {
  await emulated.deploy(endpoint);
  return startJob(ports, endpoint, policy);
}

describe('a stream', () => {
  it('contains the chunks that the worker has sent so far, byte for byte, in order', async () => {
    const job = await streaming('sm-a');
    expect(await textOf(job)).toBe('[]');
    await append(ports, job, 0, { output: '{ "n":-0, "s":"\\u00e9" }', metrics: '{"running":1,"input_tokens":7}' });
    const first = '{"output":{ "n":-0, "s":"\\u00e9" },"metrics":{"stream_index":0,"running":1,"input_tokens":7}}';
    expect(await textOf(job)).toBe(`[${first}]`);
    await append(ports, job, 1, { output: '12345678901234567890', metrics: '{}' });
    await append(ports, job, 2, { output: '"c"' });
    const rest =
      '{"output":12345678901234567890,"metrics":{"stream_index":1}},{"output":"c","metrics":{"stream_index":2}}';
    expect(await textOf(job)).toBe(`[${first},${rest}]`);
    expect(await textOf(job, '1')).toBe(`[${rest}]`);
  });

  it('can be read repeatedly, and starting at any chunk', async () => {
    const job = await streaming('sm-b');
    const count = await appendAll(
      job,
      Array.from({ length: 12 }, (_, n) => String(n)),
    );
    await finish(ports, job, { output: '[]', chunks: count });
    const all = Array.from({ length: 12 }, (_, n) => n);
    for (const from of [0, 1, 9, 10, 11, 12, 999_999_999_999]) {
      expect(await outputsOf(job, String(from))).toEqual(all.slice(from));
    }
    expect(await outputsOf(job)).toEqual(all);
  });

  it('returns chunks of every size, and splits those whose element has more than 1 MB', async () => {
    const job = await streaming('sm-c');
    const quoted = (size: number) => JSON.stringify('x'.repeat(size - 2));
    const envelope = '{"output":,"metrics":{"stream_index":0}}'.length;
    const { item, chunk } = payloadLimits;
    const sizes = [2, item - 1, item, item + 1, chunk - envelope - 1, chunk - envelope];
    expect(await appendAll(job, sizes.map(quoted))).toBe(sizes.length);
    expect(await append(ports, job, sizes.length, { output: quoted(chunk - envelope + 1) })).toBe(sizes.length + 2);
    expect((await outputsOf(job)).map((output) => JSON.stringify(output).length).slice(0, -2)).toEqual(sizes);
    expect(Math.max(...(await elementsIn(job)).map(sizeOf))).toBe(chunk);
  });

  it.each([
    ['a string of two-byte characters', (before: string) => `"${before}${'é'.repeat(600_000)}"`],
    ['a string of three-byte characters', (before: string) => `"${before}${'漢'.repeat(400_000)}"`],
    ['a string of four-byte characters', (before: string) => `"${before}${'🙂'.repeat(300_000)}"`],
    ['a string of escaped pairs', (before: string) => `"${before}${'\\ud83d\\ude42'.repeat(100_000)}"`],
    ['an object', (before: string) => `{ "text":"${before}${'🙂\\"'.repeat(200_000)}", "n":-0 }`],
  ])('loses no byte of %s, and splits no code point, in elements of at most 1 MB', async (name, outputOf) => {
    const job = await streaming(`su-${name.replaceAll(' ', '-')}`);
    const metrics = `{"running":1,"scenario":${JSON.stringify('é'.repeat(200))}}`;
    let count = 0;
    for (const before of ['', 'x', 'xx', 'xxx']) {
      const output = outputOf(before);
      const first = count;
      count = await append(ports, job, first, { output, metrics });
      const elements = await elementsIn(job, first);
      expect(elements.length).toBeGreaterThan(1);
      expect(Math.max(...elements.map(sizeOf))).toBeLessThanOrEqual(payloadLimits.chunk);
      const pieces = elements.map((element) => JSON.parse(element) as { output: string; part?: number });
      expect(pieces.every((piece) => piece.output.isWellFormed())).toBe(true);
      const whole = pieces.map((piece) => piece.output).join('');
      // `toBe` would take minutes to show how strings of 1 MB differ.
      expect(whole === (output.startsWith('"') ? JSON.parse(output) : output)).toBe(true);
    }
  });

  it('contains chunks that are larger than an agent stores, which user code can write', async () => {
    const job = await streaming('sm-i');
    const output = JSON.stringify('é'.repeat(payloadLimits.chunk / 2 - 1));
    const ref = await storeChunkObject(ports, job, 0, output);
    await ports.chunks.write(job, job.attempt, 0, [{ output: ref, metrics: '{"running":1}' }], job.removeAfter);
    const [element = ''] = await elementsIn(job);
    expect(sizeOf(element)).toBeGreaterThan(payloadLimits.chunk);
    expect(element === `{"output":${output},"metrics":{"stream_index":0,"running":1}}`).toBe(true);
  });

  it('numbers the pieces of a chunk that was split as text', async () => {
    const job = await streaming('sm-d');
    const output = `{"text":"${'x'.repeat(payloadLimits.chunk)}"}`;
    expect(await append(ports, job, 0, { output, metrics: '{"swapped":1}' })).toBe(2);
    const parts = await chunksOf(job);
    expect(parts.map(({ output: part, ...rest }) => [typeof part, rest])).toEqual([
      ['string', { metrics: { stream_index: 0, swapped: 1 }, part: 1, parts: 2 }],
      ['string', { metrics: { stream_index: 1, swapped: 1 }, part: 2, parts: 2 }],
    ]);
    expect(parts.map(({ output: part }) => part).join('')).toBe(output);
  });

  it('is returned completely, in pieces, if it has many pages', async () => {
    const job = await streaming('sm-e');
    const text = JSON.stringify('x'.repeat(payloadLimits.item - 2));
    for (let first = 0; first < 300; first += 25)
      await Promise.all(Array.from({ length: 25 }, (_, n) => append(ports, job, first + n, { output: text })));
    const pieces = await Array.fromAsync(await stream(ports, job));
    expect(pieces.length).toBeGreaterThan(10);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(100_000);
    const indices = (JSON.parse(pieces.join('')) as Read[]).map(({ metrics }) => metrics.stream_index);
    expect(indices).toEqual(Array.from({ length: 300 }, (_, n) => n));
  });

  it('accepts a chunk of 20 MB but no larger chunk', async () => {
    const job = await streaming('sm-f');
    const refused = append(ports, job, 0, { output: JSON.stringify('x'.repeat(payloadLimits.output - 1)) });
    await expect(refused).rejects.toThrow(PayloadTooLarge);
    expect(await append(ports, job, 0, { output: JSON.stringify('x'.repeat(payloadLimits.output - 2)) })).toBe(21);
    expect(await outputsOf(job, '20')).toHaveLength(1);
  }, 30_000);

  it('retains a large chunk for longer if its job may run for longer', async () => {
    const keys: string[] = [];
    const write = async (key: string) => void keys.push(key);
    const watched = portsWith(ports, { objects: { ...ports.objects, write } });
    const [brief, long] = [await streaming('sm-g'), await streaming('sm-h', { executionTimeout: 604_800_000 })];
    for (const job of [brief, long]) await append(watched, job, 0, { output: JSON.stringify('x'.repeat(8_000)) });
    expect(keys).toEqual([`2/sm-g/${brief.id}/chunk#1#0`, `8/sm-h/${long.id}/chunk#1#0`]);
  });
});

describe('a chunk that arrives too late', () => {
  it('is not in the stream if the worker has reported the end', async () => {
    for (const report of [{ output: '[]' }, { error: 'no' }]) {
      const endpoint = `sl-${Object.keys(report)[0]}`;
      const job = await streaming(endpoint);
      const count = await appendAll(job, ['1', '2']);
      await finish(ports, job, { ...report, chunks: count });
      await appendAll(job, ['3'], count);
      expect(await outputsOf(job)).toEqual([1, 2]);
    }
  });

  it('is not in the stream if the job has streamed no other chunk', async () => {
    const job = await streaming('sl-c');
    await finish(ports, job, { output: '1', chunks: 0 });
    expect(await ports.jobs.read(job)).not.toHaveProperty('chunks');
    await appendAll(job, ['1']);
    expect(await outputsOf(job)).toEqual([]);
  });

  it('is not in the stream if the job is in the queue again, or another worker has it', async () => {
    const job = await streaming('sl-d');
    await appendAll(job, ['1', '2']);
    await rescue(ports, job, 0, job.generation);
    expect(await outputsOf(job)).toEqual([]);
    await appendAll(job, ['3'], 2);
    expect(await outputsOf(job)).toEqual([]);
    const second = await takeJob(ports, 'sl-d', job.id, 'w2');
    await appendAll(second, ['"a"']);
    await appendAll(job, ['1', '2', '3']);
    expect(await outputsOf(job)).toEqual(['a']);
  });

  it('is not in the stream if the job is cancelled, timed out or given up, unlike earlier chunks', async () => {
    const ends = {
      'sl-e': async (job: RunningJob) => void (await cancel(ports, job)),
      'sl-f': async () => emulated.clock.advance(6_000 + REPORT_GRACE),
      'sl-g': async (job: RunningJob) => {
        let last = job;
        for (const worker of ['w2', 'w3']) {
          await rescue(ports, last, 0, job.generation);
          last = await takeJob(ports, 'sl-g', job.id, worker);
        }
        await appendAll(last, ['1']);
        await rescue(ports, last, 0, job.generation);
        expect(await ports.jobs.read(job)).toMatchObject({ code: 'WORKER_LOST' });
        emulated.clock.advance(1);
        await appendAll(last, ['2'], 1);
      },
    };
    for (const [endpoint, end] of Object.entries(ends)) {
      const job = await streaming(endpoint, { executionTimeout: 6_000 });
      await appendAll(job, ['1']);
      expect(await outputsOf(job)).toEqual([1]);
      await end(job);
      emulated.clock.advance(1);
      await appendAll(job, ['2'], 1);
      expect(await outputsOf(job)).toEqual([1]);
      // Some of the jobs ended before the clock was moved.
      emulated.clock.advance(retention.run - MINUTE);
      expect(await outputsOf(job)).toEqual([1]);
    }
  });
});

describe('a retry', () => {
  it('hides the chunks of earlier attempts', async () => {
    const cut = await streaming('sr-b');
    await appendAll(cut, ['1']);
    emulated.clock.advance(600_001 + REPORT_GRACE);
    expect(await outputsOf(cut)).toEqual([1]);
    await retry(ports, cut);
    expect(await outputsOf(cut)).toEqual([]);

    const job = await streaming('sr-a');
    await finish(ports, job, { error: 'no', chunks: await appendAll(job, ['1', '2']) });
    expect(await outputsOf(job)).toEqual([1, 2]);
    await retry(ports, job);
    expect(await outputsOf(job)).toEqual([]);
    const again = await takeJob(ports, 'sr-a', job.id, 'w2');
    expect(await outputsOf(job)).toEqual([]);
    await finish(ports, again, { output: '1', chunks: await appendAll(again, ['"a"']) });
    expect(await outputsOf(job)).toEqual(['a']);
  });
});

describe('a chunk that could not be stored', () => {
  it('is stored once if it is sent again, whether the failed write was stored or not', async () => {
    const job = await streaming('sf-a');
    let failures = 1;
    const write: Chunks['write'] = async (...call) => {
      await ports.chunks.write(...call);
      if (failures-- > 0) throw new Error('The answer was lost.');
    };
    const flaky = portsWith(ports, { chunks: { list: ports.chunks.list, write } });
    const output = JSON.stringify('x'.repeat(payloadLimits.chunk));
    await expect(append(flaky, job, 0, { output })).rejects.toThrow('The answer was lost.');
    const count = await append(flaky, job, 0, { output });
    await append(flaky, job, count, { output: '"last"' });
    const texts = (await outputsOf(job)).map(String);
    expect([texts.length, texts.join('').length, texts.at(-1)]).toEqual([3, payloadLimits.chunk + 4, 'last']);
  });
});

describe('/stream refuses', () => {
  it('jobs that /status refuses', async () => {
    const job = await streaming('se-a');
    await expect(stream(ports, { endpoint: 'se-none', id: job.id })).rejects.toThrow(EndpointNotFound);
    await expect(stream(ports, { endpoint: 'se-a', id: '0'.repeat(36) })).rejects.toThrow(JobNotFound);
    await finish(ports, job, { output: '1', chunks: await appendAll(job, ['1']) });
    emulated.clock.advance(retention.run);
    await expect(stream(ports, job)).rejects.toThrow(JobExpired);
  });

  it.each([
    ['-1', '-1'],
    ['1.5', '"1.5"'],
    ['x', '"x"'],
    ['', '""'],
  ])('to begin from "%s"', async (from, got) => {
    const refused = stream(ports, { endpoint: 'se-b', id: await submitted(), from });
    await expect(refused).rejects.toThrow(
      new InvalidRequest(`\`from\` must be a whole number from 0 to 999999999999999, got ${got}.`),
    );
  });

  async function submitted(): Promise<string> {
    await emulated.deploy('se-b');
    return submitJob(ports, 'se-b');
  }
});
