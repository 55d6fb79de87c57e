import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readJob } from '../../job/job.ts';
import { JsonSyntaxError } from '../../json/syntax-error.ts';
import { openWith } from '../../reading/queue.ts';
import { AT_ONCE, read } from '../../reading/read.ts';
import { nodeWorkers } from './node-worker.ts';

/** The largest output of a job. */
const LARGE = 20 * 1024 * 1024;

const workers = nodeWorkers();
const asked: string[] = [];
beforeAll(() => openWith(workers.open));
beforeEach(() => {
  asked.length = workers.asked.length;
});
afterAll(() => workers.stop());

/** Returns the names of the requests that the worker got from this test. */
const sent = () => workers.asked.slice(asked.length).map(({ name }) => name);

/** A JSON array of about this size, with a match at its end. */
const array = (size: number) => `[${'"filler",'.repeat(Math.floor((size - 20) / 9))}"at the end"]`;

describe('a text', () => {
  it('of 1 MB is read on the page, and a larger one in the worker', async () => {
    const small = `"${'x'.repeat(AT_ONCE - 2)}"`;
    expect(await read('string', small)).toHaveLength(AT_ONCE - 2);
    expect(sent()).toEqual([]);
    expect(await read('string', `"x${small.slice(1)}`)).toHaveLength(AT_ONCE - 1);
    expect(sent()).toEqual(['string']);
  });

  it('of 20 MB is laid out in the worker, to its end, and sent there once', async () => {
    const text = array(LARGE);
    expect((await read('layout', text, false)).endsWith('"at the end"\n]')).toBe(true);
    await read('layout', text, true);
    expect(sent()).toEqual(['layout', 'layout']);
    expect(workers.asked.slice(-2).map((ask) => 'text' in ask)).toEqual([true, false]);
  });

  it('is refused in the worker as on the page', async () => {
    for (const text of ['[1,}', `[1,}${' '.repeat(AT_ONCE)}`]) {
      const reading = read('layout', text, false);
      await expect(reading).rejects.toThrow(JsonSyntaxError);
      await expect(reading).rejects.toMatchObject({ at: 3, message: expect.stringMatching(/^Line 1, column 4: /) });
    }
    expect(sent()).toEqual(['layout']);
  });

  it('of many lines is filtered in the worker', async () => {
    const texts = Array.from({ length: 2_000 }, (_, n) => `line ${n} ${'x'.repeat(1_000)}`);
    const { count, lines } = await read('logLines', texts, 'LINE 1999');
    expect([count, lines]).toEqual([1, [texts.at(-1)]]);
    expect(sent()).toEqual(['logLines']);
  });

  it('can be left while the worker reads it, and the next one is read', async () => {
    const page = new AbortController();
    const left = read('layout', array(LARGE), false, page.signal);
    const next = read('lines', array(2 * AT_ONCE));
    page.abort();
    await expect(left).rejects.toThrow('aborted');
    expect(await next).not.toHaveLength(0);
  });

  it('with a file of several megabytes is decoded in the worker', async () => {
    const bytes = Buffer.alloc(3_000_000, 7);
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').copy(bytes);
    const text = `{"image": "${bytes.toString('base64')}"}`;
    const [found] = await read('media', text);
    if (!found) throw new Error('The file is not found.');
    const file = await read('file', text, found);
    expect(file?.size).toBe(bytes.length);
    expect(Buffer.from(await (file ?? new Blob([])).arrayBuffer()).equals(bytes)).toBe(true);
    expect(sent()).toEqual(['media', 'file']);
  });
});

describe('the record of a job', () => {
  it('of 20 MB is read in the worker, with its output as it was sent', async () => {
    const output = array(LARGE);
    const job = await readJob(`{"id":"j","status":"COMPLETED","output":${output},"attempts":1}`);
    expect(job).toMatchObject({ id: 'j', status: 'COMPLETED', attempts: 1 });
    expect(job.output === output).toBe(true);
    expect(sent()).toEqual(['job']);
  });
});
