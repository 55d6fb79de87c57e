/** Tests outputs that are read as events: lists of any number of elements, and large elements. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { Job } from '../../core/jobs/job.ts';
import { SLICE } from '../../core/json/slices.ts';
import { answerOf, eventsOf } from '../../core/openai/result.ts';
import { PIECE } from '../../core/streams/read.ts';
import { withTurns } from '../support/turns.ts';

type Ended = Extract<Job, { finishedAt: number }>;

/** Returns a COMPLETED job with this output, and its ports. */
function completed(output: string | Buffer) {
  const bytes = Buffer.from(output);
  const job = { endpoint: 'e', id: 'j', status: 'COMPLETED', output: { object: '2/e/j/output' } } as unknown as Ended;
  const objects = { read: async () => bytes, write: async () => undefined };
  return { job, ports: { objects, payloads: { read: async () => '', write: async () => undefined } } };
}

function eventsIn(output: string | Buffer): AsyncGenerator<string, void> {
  const { job, ports } = completed(output);
  return eventsOf(ports, job);
}

const textOf = async (output: string | Buffer) => (await Array.fromAsync(eventsIn(output))).join('');

describe('the events of an output', () => {
  it.each([
    ['[]', ''],
    [' [ 1 , "data: 2\\n\\n" , {"a": [1]} ] ', 'data: 1\n\ndata: 2\n\ndata: {"a": [1]}\n\n'],
    ['{"a":1}', 'data: {"a":1}\n\n'],
    ['"data: \\u00e9\\n\\n"', 'data: é\n\n'],
  ])('of %s are %j', async (output, text) => {
    expect(await textOf(output)).toBe(text);
  });

  it('contain a large string and a large object unchanged, wherever a piece ends', async () => {
    for (let shift = 0; shift < 14; shift += 1) {
      const text = 'x'.repeat(shift) + '\\ud83d\\ude42\\n\\"é😀'.repeat(PIECE / 8);
      expect(await textOf(`["${text}"]`)).toBe(JSON.parse(`"${text}"`));
      expect(await textOf(`[{"a":"${text}"}]`)).toBe(`data: {"a":"${text}"}\n\n`);
    }
  });

  it('are sent in pieces that fit into memory many times, and let the process do other work', async () => {
    const count = (8 * SLICE) / 2;
    const pieces = withTurns(Array.fromAsync(eventsIn(`[${'1,'.repeat(count - 1)}1]`), (piece) => piece.length));
    const { result: lengths, turns } = await pieces;
    expect(lengths.reduce((sum, length) => sum + length)).toBe(count * 'data: 1\n\n'.length);
    expect(Math.max(...lengths)).toBeLessThan(2 * PIECE);
    expect(turns).toBeGreaterThanOrEqual(lengths.length);
  });

  it('let the process do other work while each element is parsed to find an error', async () => {
    const element = `{"a":"${'x'.repeat(60_000)}","error":1}`;
    const { turns } = await withTurns(Array.fromAsync(eventsIn(`[${Array(20).fill(element).join(',')}]`)));
    expect(turns).toBeGreaterThanOrEqual(20);
  });

  it('end with the error of an element, after the events before it', async () => {
    const events = eventsIn(`["${'x'.repeat(PIECE)}",{"object":"error","message":"No","code":404}]`);
    expect((await events.next()).value).toBe('x'.repeat(PIECE));
    await expect(events.next()).rejects.toMatchObject({ status: 404 });
    await expect(eventsIn('[1,{"object":"error","message":"No","code":404}]').next()).rejects.toMatchObject({
      status: 404,
    });
  });

  it('fit into a heap of 32 MB, whatever the number of elements', async () => {
    const size = 6 * 1024 * 1024;
    // A process without enough memory ends with an error.
    const arguments_ = ['--max-old-space-size=32', 'test/openai/list-reader.ts', String(size)];
    const { stdout } = await promisify(execFile)(process.execPath, arguments_);
    expect(Number(stdout)).toBe((size / 2 - 1) * 'data: 1\n\n'.length);
  });
});

describe('the answer of an output', () => {
  it('lets the process do other work while the first element is found', async () => {
    const { job, ports } = completed(`[${' '.repeat(4 * SLICE)}{"a":"${'x'.repeat(4 * SLICE)}"},1]`);
    const { result, turns } = await withTurns(answerOf(ports, job));
    expect(result.contentType).toBe('application/json');
    expect(result.bytes).toHaveLength(4 * SLICE + '{"a":""}'.length);
    expect(turns).toBeGreaterThanOrEqual(7);
  });
});
