import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FunctionThrottled } from '../../functions/call.ts';
import { createFunctions, type Functions, PAYLOAD_LIMIT } from '../../functions/functions.ts';
import { eventually, newFolder } from '../small-service.ts';
import { holdTime, passTime } from '../time-limits.ts';

const code = `
const { existsSync, writeFileSync } = require('node:fs');
const { hostname } = require('node:os');
const { setTimeout: delay } = require('node:timers/promises');
let calls = 0;
exports.handler = async (event, context) => {
  calls += 1;
  if (event.begun) writeFileSync(event.begun, '');
  if (event.log) console.log(event.log);
  if (event.throw) throw new TypeError(event.throw);
  if (event.again) throw Object.assign(new Error(event.again), { name: 'Again' });
  if (event.exit) process.exit(3);
  if (event.spin) for (;;);
  if (event.wait) await delay(event.wait);
  while (event.calls > calls) await delay(5);
  while (event.until && !existsSync(event.until)) await delay(5);
  if (event.size) return 'x'.repeat(event.size);
  if (event.nothing) return;
  return { calls, env: process.env, context, left: context.getRemainingTimeInMillis(), at: Date.now(), hostname: typeof hostname };
};`;

/** Real calls have time to end on a busy machine. The timeout is below that of API Gateway. */
const TIMEOUT = 20_000;
const FUNCTION = 'arn:aws:lambda:us-east-1:000000000000:function:test';

let folder: string;
let functions: Functions;
let notices: string[];

beforeEach(() => {
  folder = newFolder();
  notices = [];
  mkdirSync(join(folder, 'code'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'code', 'index.js'), code);
  const notify = (text: string) => notices.push(text);
  functions = createFunctions({ notify, compileCache: join(folder, 'compiled'), repeatErrors: ['Again'] });
  define('handler');
});

afterEach(async () => {
  jest.useRealTimers();
  await functions.stop();
});

function define(handler: string, { reserved, timeout = TIMEOUT }: { reserved?: number; timeout?: number } = {}): void {
  functions.define({
    name: 'test',
    arn: FUNCTION,
    folder: join(folder, 'code'),
    handler: `index.${handler}`,
    role: '',
    timeout,
    reserved,
    environment: { GREETING: 'hello' },
    log: join(folder, 'test.log'),
  });
}

/**
 * Begins a call whose time passes only through `passTime`, and waits until its handler runs.
 * @returns `under`, which resolves with the result or the error message of the call
 */
async function begin(event: object): Promise<{ under: Promise<string | object> }> {
  holdTime();
  const begun = join(folder, 'begun');
  const under = invoke({ begun, ...event }).catch((error: Error) => error.message);
  await eventually('the call has begun', () => existsSync(begun));
  return { under };
}

const invoke = async (event: object) => JSON.parse(await functions.invoke(FUNCTION, event)) as Record<string, unknown>;

describe('a function', () => {
  it('has only its own environment variables', async () => {
    expect((await invoke({})).env).toEqual({ GREETING: 'hello' });
  });

  it('can be an ES module with packages of its own', async () => {
    const folderOf = (...names: string[]) => join(folder, 'code', ...names);
    rmSync(folderOf('index.js'));
    mkdirSync(folderOf('node_modules', 'greeting'), { recursive: true });
    writeFileSync(folderOf('node_modules', 'greeting', 'package.json'), '{"type":"module","main":"index.js"}');
    writeFileSync(folderOf('node_modules', 'greeting', 'index.js'), "export const greeting = 'hello';");
    const module = "import { greeting } from 'greeting';\nexport const handler = async () => ({ greeting });";
    writeFileSync(folderOf('index.mjs'), module);
    expect(await invoke({})).toEqual({ greeting: 'hello' });
  });

  it('gets its name, its request id and its remaining time', async () => {
    const { context, left } = await invoke({});
    expect(context).toMatchObject({ functionName: 'test', awsRequestId: expect.any(String) });
    expect(left).toBeLessThanOrEqual(TIMEOUT);
    expect(left).toBeGreaterThan(0);
  });

  it('is throttled while the account is at its limit of executions', async () => {
    await functions.stop();
    const notify = (text: string) => notices.push(text);
    functions = createFunctions({ notify, compileCache: join(folder, 'compiled'), concurrency: 2 });
    define('handler');
    const until = join(folder, 'enough');
    // `allSettled` prevents an unhandled rejection if the test fails earlier.
    const running = Promise.allSettled([1, 2].map(() => invoke({ until })));
    for (let n = 0; n < 3; n += 1) await expect(invoke({})).rejects.toThrow(FunctionThrottled);
    expect(() => functions.invokeStreaming(FUNCTION, {})).toThrow(FunctionThrottled);
    writeFileSync(until, '');
    expect((await running).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    await expect(invoke({ throw: 'no' })).rejects.toThrow('no');
    // Throttled calls have not reached the function, and finished calls no longer count.
    expect(await invoke({})).toMatchObject({ calls: 4 });
    expect(notices.filter((text) => text.includes('throttled'))).toEqual([
      '2 executions of functions are running, the limit of the account: further calls are throttled.',
    ]);
  });

  it('runs 16 calls at the same time, and starts the next with its full timeout after a call finishes', async () => {
    const file = (name: string) => join(folder, name);
    const under = Array.from({ length: 16 }, (_, n) => invoke({ begun: file(`begun-${n}`), until: file(`end-${n}`) }));
    // `allSettled` prevents an unhandled rejection if the test fails earlier.
    const all = Promise.allSettled(under);
    const next = invoke({ begun: file('next') });
    await eventually('16 calls run', () => under.every((_, n) => existsSync(file(`begun-${n}`))));
    // Without the limit, this call would have begun already.
    await delay(200);
    expect(existsSync(file('next'))).toBe(false);
    const released = Date.now();
    writeFileSync(file('end-0'), '');
    const { at, left } = await next;
    expect(Number(at) + Number(left)).toBeGreaterThanOrEqual(released + TIMEOUT);
    under.forEach((_, n) => void writeFileSync(file(`end-${n}`), ''));
    expect(new Set((await all).map(({ status }) => status))).toEqual(new Set(['fulfilled']));
  });

  it('runs any number of calls at the same time if its timeout is longer than that of API Gateway', async () => {
    define('handler', { timeout: 30_000 });
    const until = join(folder, 'enough');
    const under = Array.from({ length: 40 }, () => invoke({ calls: 40, until }));
    writeFileSync(until, '');
    expect(await Promise.all(under)).toHaveLength(40);
  });

  it('is throttled while it has as many executions as its reservation', async () => {
    define('handler', { reserved: 1 });
    const until = join(folder, 'enough');
    const running = invoke({ until }).catch((error: unknown) => error);
    await expect(invoke({})).rejects.toThrow(FunctionThrottled);
    writeFileSync(until, '');
    expect(await running).toMatchObject({ calls: 1 });
    expect(await invoke({})).toMatchObject({ calls: 2 });
  });

  it('is loaded at its first call', async () => {
    const log = join(folder, 'test.log');
    expect(existsSync(log)).toBe(false);
    await invoke({});
    await eventually('the log exists', () => existsSync(log));
  });

  it('keeps its module loaded between calls', async () => {
    await invoke({});
    expect(await invoke({})).toMatchObject({ calls: 2 });
  });

  it('runs several calls at the same time', async () => {
    const all = await Promise.all([1, 2, 3, 4].map(() => invoke({ calls: 4 })));
    expect(all.map(({ calls }) => calls)).toEqual([4, 4, 4, 4]);
  });

  it('ends after five minutes without a call, and runs the next call in a new environment', async () => {
    holdTime();
    await invoke({});
    await passTime(299_999);
    expect(await invoke({})).toMatchObject({ calls: 2 });
    await passTime(299_999);
    expect(await invoke({})).toMatchObject({ calls: 3 });
    await passTime(300_000);
    expect(await invoke({})).toMatchObject({ calls: 1 });
  });

  it('does not end while a call runs, however long the call takes', async () => {
    define('handler', { timeout: 900_000 });
    const until = join(folder, 'until');
    const { under } = await begin({ until });
    await invoke({});
    await passTime(600_000);
    functions.endIdle();
    expect(await invoke({})).toMatchObject({ calls: 3 });
    writeFileSync(until, '');
    expect(await under).toMatchObject({ calls: 3 });
  });

  it('ends when all idle environments are ended, and runs the next call in a new environment', async () => {
    await invoke({});
    functions.endIdle();
    expect(await invoke({})).toMatchObject({ calls: 1 });
  });

  it('returns null if its handler returns nothing', async () => {
    expect(await functions.invoke(FUNCTION, { nothing: true })).toBe('null');
  });

  it('writes an error by which it asks for another call only to its log', async () => {
    await expect(invoke({ again: 'not acknowledged' })).rejects.toThrow('not acknowledged');
    const log = () => readFileSync(join(folder, 'test.log'), 'utf8');
    await eventually('the log is written', () => log().includes('Again: not acknowledged'));
    expect(notices).toEqual([]);
  });

  it('writes to its log, and prints that there are errors', async () => {
    await invoke({ log: 'all is well' });
    expect(notices).toEqual([]);
    await invoke({ throw: 'broken' }).catch(() => undefined);
    await eventually('the error is printed', () => notices.length === 1);
    const log = () => readFileSync(join(folder, 'test.log'), 'utf8');
    await eventually('the log is written', () => log().includes('all is well') && log().includes('TypeError: broken'));
    expect(notices[0]).toContain(join(folder, 'test.log'));
  });
});

describe('a call of a function', () => {
  it.each<[string, object, string]>([
    ['throws', { throw: 'broken' }, 'broken'],
    ['exits the process', { exit: true }, 'The function exited during a call.'],
    ['returns a response that is too large', { size: PAYLOAD_LIMIT - 1 }, 'Response payload size exceeded'],
    ['gets an event that is too large', { text: 'x'.repeat(PAYLOAD_LIMIT - 10) }, 'The event is over'],
  ])('fails if it %s, and the next call succeeds', async (_, event, message) => {
    await expect(invoke(event)).rejects.toThrow(message);
    expect(await invoke({})).toMatchObject({ hostname: 'function' });
  });

  it.each<[string, object]>([
    ['takes too long', { wait: 600_000 }],
    ['never returns', { spin: true }],
  ])('fails if it %s, and the next call succeeds', async (_, event) => {
    const { under } = await begin(event);
    await passTime(TIMEOUT);
    expect(await under).toBe('Task timed out after 20.00 seconds');
    jest.useRealTimers();
    expect(await invoke({})).toMatchObject({ hostname: 'function' });
  });

  it('does not begin to time out before its bundle is loaded', async () => {
    const gate = join(folder, 'gate');
    writeFileSync(
      join(folder, 'code', 'index.js'),
      `while (!require('node:fs').existsSync(${JSON.stringify(gate)}));${code}`,
    );
    holdTime();
    const call = invoke({});
    await passTime(TIMEOUT);
    const opened = Date.now();
    writeFileSync(gate, '');
    const { at, left } = await call;
    expect(Number(at) + Number(left)).toBeGreaterThanOrEqual(opened + TIMEOUT);
  });

  it('fails if its bundle does not end to load, and the next call succeeds', async () => {
    writeFileSync(join(folder, 'code', 'index.js'), 'for (;;);');
    holdTime();
    const call = invoke({}).catch((error: Error) => error.message);
    await passTime(60_000);
    expect(await call).toBe('Task timed out after 20.00 seconds');
    jest.useRealTimers();
    writeFileSync(join(folder, 'code', 'index.js'), code);
    expect(await invoke({})).toMatchObject({ hostname: 'function' });
  });

  it('fails without affecting calls that run at the same time', async () => {
    const { under: tooLong } = await begin({ wait: 600_000 });
    await invoke({});
    await passTime(TIMEOUT - 1);
    const until = join(folder, 'until');
    const beside = invoke({ until });
    await passTime(1);
    expect(await tooLong).toContain('timed out');
    writeFileSync(until, '');
    expect(await beside).toMatchObject({ calls: 3 });
  });

  it('fails if the function crashes, and a new call succeeds', async () => {
    const { under } = await begin({ wait: 600_000 });
    const ended = functions.crash(FUNCTION);
    expect(await invoke({})).toMatchObject({ calls: 1 });
    expect(await under).toBe('The function exited during a call.');
    await ended;
  });

  it('fails if the handler is not exported', async () => {
    define('nothing');
    await expect(invoke({})).rejects.toThrow('index.nothing is undefined or not exported');
  });

  it('fails if the function does not exist', async () => {
    await expect(functions.invoke(`${FUNCTION}2`, {})).rejects.toThrow(`Function not found: ${FUNCTION}2`);
  });

  it('succeeds at the size limits', async () => {
    expect(await functions.invoke(FUNCTION, { size: PAYLOAD_LIMIT - 2 })).toHaveLength(PAYLOAD_LIMIT);
    const padding = PAYLOAD_LIMIT - JSON.stringify({ text: '' }).length;
    expect(await invoke({ text: 'x'.repeat(padding) })).toMatchObject({ hostname: 'function' });
  });
});
