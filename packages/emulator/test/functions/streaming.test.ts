/** Tests functions that stream their response. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createFunctions, type Functions, PAYLOAD_LIMIT, STREAM_LIMIT } from '../../functions/functions.ts';
import { eventually, newFolder } from '../small-service.ts';
import { holdTime, passTime } from '../time-limits.ts';
import { BLOCK, streamingHandler } from './streaming-handler.ts';

const code = `${streamingHandler}
exports.plain = async () => ({ plain: 'é' });
exports.notAsync = awslambda.streamifyResponse(() => undefined);`;

const arn = (handler: string) => `arn:aws:lambda:us-east-1:000000000000:function:${handler}`;

/** Enough for 200 MB on a busy machine. Tests of timeouts move the clock. */
const TIMEOUT = 60_000;

let functions: Functions;

beforeAll(() => {
  const folder = newFolder();
  mkdirSync(join(folder, 'code'));
  writeFileSync(join(folder, 'code', 'index.js'), code);
  functions = createFunctions({ notify: () => undefined, compileCache: join(folder, 'compiled') });
  for (const handler of ['stream', 'plain', 'notAsync'])
    functions.define({
      name: handler,
      arn: arn(handler),
      folder: join(folder, 'code'),
      handler: `index.${handler}`,
      role: '',
      timeout: TIMEOUT,
      environment: {},
      log: join(folder, 'test.log'),
    });
});

afterAll(() => functions.stop());
afterEach(() => {
  jest.useRealTimers();
});

const stream = (event: object): Readable => functions.invokeStreaming(arn('stream'), event).output;

async function nextChunk(output: Readable): Promise<string> {
  await once(output, 'readable');
  return String(output.read());
}

/** Stops the thread, so that the next call starts a new thread that has written nothing. */
const resetState = () => functions.crash(arn('stream'));

/** Reads the counters of the handler in the same thread. */
const state = async () =>
  JSON.parse(await functions.invoke(arn('stream'), { state: true, end: '' })) as { written: number; ended: number };

describe('a streamed response', () => {
  it('arrives chunk by chunk as the handler writes it', async () => {
    const output = stream({ write: 'first', hold: true, end: 'last' });
    expect(await nextChunk(output)).toBe('first');
    await functions.invoke(arn('stream'), { release: true, end: '' });
    expect(await text(output)).toBe('last');
  });

  it('arrives as a whole if the handler finishes at once, and chunk by chunk otherwise', async () => {
    const whole = (event: object) => functions.invokeStreaming(arn('stream'), event).whole;
    expect(String(await whole({ from: '{"a":1}', end: 'all' }))).toBe('all');
    const slow = functions.invokeStreaming(arn('stream'), { write: 'first', hold: true, end: 'last' });
    expect(await slow.whole).toBeUndefined();
    await functions.invoke(arn('stream'), { release: true, end: '' });
    expect(await text(slow.output)).toBe('firstlast');
    expect(await whole({ throw: 'broken' })).toBeUndefined();
  });

  it('begins with metadata if the handler sets it', async () => {
    const output = stream({ from: '{"statusCode":200,"cookies":["a=é"]}', write: 'body', end: '' });
    expect(await text(output)).toBe(`{"statusCode":200,"cookies":["a=é"]}${'\0'.repeat(8)}body`);
  });

  it('sends its metadata only with its first write, as in AWS', async () => {
    expect(await text(stream({ from: '{"statusCode":200}', end: 'body' }))).toBe('body');
    await expect(text(stream({ write: 'body', from: '{"statusCode":200}' }))).rejects.toThrow('too late');
  });

  it('contains values other than strings and bytes as JSON', async () => {
    expect(await text(stream({ write: { a: 1 }, end: '' }))).toBe('{"a":1}');
  });

  it('waits for a slow reader when it has 50 MB', async () => {
    await resetState();
    const output = stream({ blocks: 50 });
    let received = (await nextChunk(output)).length;
    for (let n = 0; n < 20; n += 1) expect((await state()).written).toBeLessThanOrEqual(2 * BLOCK);
    for await (const chunk of output) received += (chunk as Buffer).length;
    expect(received).toBe(50 * BLOCK);
  });

  it('is discarded when its reader is gone, and the handler completes', async () => {
    await resetState();
    const output = stream({ blocks: 20 });
    await nextChunk(output);
    output.destroy();
    await eventually('the handler has finished', async () => (await state()).ended > 0);
    expect((await state()).written).toBe(20 * BLOCK);
  });

  it('can have at most 200 MB', async () => {
    let received = 0;
    const read = async () => {
      for await (const chunk of stream({ blocks: 210 })) received += (chunk as Buffer).length;
    };
    await expect(read()).rejects.toThrow(
      `Response payload size exceeded maximum allowed payload size (${STREAM_LIMIT}`,
    );
    expect(received).toBeGreaterThan(STREAM_LIMIT - BLOCK);
    expect(received).toBeLessThanOrEqual(STREAM_LIMIT);
  });
});

describe('a streamed call', () => {
  it.each<[string, object, string]>([
    ['if the handler throws before the first byte', { throw: 'broken' }, 'broken'],
    ['if the thread exits', { exit: 1 }, 'The function exited during a call.'],
  ])('fails %s, and the next call succeeds', async (_, event, message) => {
    await expect(text(stream(event))).rejects.toThrow(message);
    expect(await text(stream({ end: 'well' }))).toBe('well');
  });

  it.each<[string, object]>([
    ['if the handler takes too long', { hold: true }],
    ['if the handler never ends the response', { state: true }],
  ])('fails %s, and the next call succeeds', async (_, event) => {
    holdTime();
    const failed = expect(text(stream(event))).rejects.toThrow('Task timed out after 60.00 seconds');
    // This call runs in the same thread, after the previous call.
    await state();
    await passTime(TIMEOUT);
    await failed;
    jest.useRealTimers();
    expect(await text(stream({ end: 'well' }))).toBe('well');
  });

  it.each<[string, object, string]>([
    ['by an error', { write: 'first', throw: 'broken' }, 'broken'],
    ['by the exit of its thread', { write: 'first', hold: true, exit: 1 }, 'The function exited during a call.'],
    ['by its timeout', { write: 'first', hold: true }, 'Task timed out'],
    ['if the handler destroys the response', { write: 'first', hold: true, destroy: 'torn' }, 'torn'],
  ])('fails %s after its first chunk has arrived', async (_, event, message) => {
    holdTime();
    const output = stream(event);
    expect(await nextChunk(output)).toBe('first');
    const failed = expect(text(output)).rejects.toThrow(message);
    if (message === 'Task timed out') await passTime(TIMEOUT);
    else void functions.invoke(arn('stream'), { release: true }).catch(() => undefined);
    await failed;
  });

  it('fails if the handler is not async', async () => {
    const { output } = functions.invokeStreaming(arn('notAsync'), {});
    await expect(text(output)).rejects.toThrow('Streaming does not support non-async handlers.');
  });

  it('fails if the function does not exist or the event is too large', () => {
    expect(() => functions.invokeStreaming(arn('nothing'), {})).toThrow('Function not found');
    expect(() => stream({ write: 'x'.repeat(PAYLOAD_LIMIT) })).toThrow('The event is over');
  });
});

describe('a function that is called with the wrong invocation type', () => {
  it('returns its stream as a whole if the stream has at most 6 MB', async () => {
    const whole = await functions.invoke(arn('stream'), { from: '{"statusCode":200}', write: 'body', end: '' });
    expect(whole).toBe(`{"statusCode":200}${'\0'.repeat(8)}body`);
    await expect(functions.invoke(arn('stream'), { blocks: 7 })).rejects.toThrow('Response payload size exceeded');
  });

  it('streams its return value', async () => {
    expect(await text(functions.invokeStreaming(arn('plain'), {}).output)).toBe('{"plain":"é"}');
  });
});
