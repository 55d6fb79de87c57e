/** Tests event streams with fake timers: what is sent between the pieces of text from a worker, and after them. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { eventBytes } from '../../core/http/events.ts';
import { respondOpenAi } from '../../core/http/respond-openai.ts';
import { HEADERS_AFTER, KEEP_ALIVE, openAiLimits } from '../../core/limits.ts';
import type { OpenAiReply } from '../../core/openai/answer.ts';
import { JobError } from '../../core/openai/error.ts';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

const failure = () => '{"error":{"message":"late"}}';

/** Creates a reader that records what it receives. */
function readerOf(body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
  const received: string[] = [];
  const ended = (async () => {
    for await (const piece of body) received.push(Buffer.from(piece).toString('utf8'));
  })();
  return { received, ended, text: () => ended.then(() => received.join('')) };
}

async function* textsOf(...texts: (string | Promise<string>)[]): AsyncGenerator<string, void> {
  for (const text of texts) yield await text;
}

const after = (milliseconds: number, text: string) =>
  new Promise<string>((resolve) => setTimeout(() => resolve(text), milliseconds));

const sent = (...texts: (string | Promise<string>)[]) =>
  readerOf(eventBytes(Promise.resolve(textsOf(...texts)), failure));

describe('a stream of events', () => {
  it('contains the text of the worker unchanged, and one [DONE]', async () => {
    const texts = ['data: {"a":1}\n\ndata: {"', 'b":"ä"}\n\n', 'data: [DONE]\n\n'];
    const { received, ended } = sent(...texts);
    await ended;
    expect(received).toEqual(texts);
  });

  it.each([
    ['data: 1\n\n', 'data: 1\n\ndata: [DONE]\n\n'],
    ['data: 1\r\n\r\n', 'data: 1\r\n\r\ndata: [DONE]\n\n'],
    ['data: 1\n', 'data: 1\n\ndata: [DONE]\n\n'],
    ['data: 1', 'data: 1\n\ndata: [DONE]\n\n'],
    ['', 'data: [DONE]\n\n'],
    ['data: [DONE]', 'data: [DONE]'],
    ['data: "[DONE]"\n\n', 'data: "[DONE]"\n\ndata: [DONE]\n\n'],
  ])('ends with one [DONE] if the worker sends %j', async (text, whole) => {
    expect(await sent(text).text()).toBe(whole);
  });

  it('finds a [DONE] that arrives in parts', async () => {
    expect(await sent('data: 1\n\ndata: [D', 'ONE]\n', '\n').text()).toBe('data: 1\n\ndata: [DONE]\n\n');
  });

  it.each([
    ['data: 1\n\n', ': waiting\n\n'],
    ['data: 1\n', ': waiting\n'],
    ['data: 1', ''],
  ])('sends only comments that change no event after %j, while it waits', async (text, comment) => {
    const { received, ended } = sent(text, after(KEEP_ALIVE + 1, '!'));
    await jest.advanceTimersByTimeAsync(KEEP_ALIVE + 1);
    await ended;
    expect(received.slice(0, 3).join('')).toContain(`${text}${comment}!`);
    expect(received.join('').includes('waiting')).toBe(comment !== '');
  });

  it('ends with the error as a separate event', async () => {
    async function* fails(): AsyncGenerator<string, void> {
      yield 'data: {"a":';
      throw new Error('broken');
    }
    const { text } = readerOf(eventBytes(Promise.resolve(fails()), failure));
    expect(await text()).toBe('data: {"a":\n\ndata: {"error":{"message":"late"}}\n\n');
  });

  it('stops its source when its reader disconnects', async () => {
    const left = Promise.withResolvers<string>();
    async function* endless(): AsyncGenerator<string, void> {
      try {
        for (;;) yield 'data: 1\n\n';
      } finally {
        left.resolve('ended');
      }
    }
    for await (const _ of eventBytes(Promise.resolve(endless()), failure)) break;
    expect(await left.promise).toBe('ended');
  });
});

const exchange = { requestId: 'request-1', onFailure: () => undefined };
const problem = { message: 'no', type: 'server_error', param: null, code: null };

/**
 * Makes a call whose reply the test resolves.
 * @returns its response
 */
function call(isStream: boolean) {
  const { promise, resolve, reject } = Promise.withResolvers<OpenAiReply>();
  const response = respondOpenAi(exchange, (state) => {
    Object.assign(state, { isStream, jobId: 'job-1' });
    return promise;
  });
  return { response, resolve, reject };
}

const isPending = async (promise: Promise<unknown>) =>
  (await Promise.race([promise, new Promise((resolve) => setImmediate(() => resolve('pending')))])) === 'pending';

describe('a call that takes long', () => {
  it('begins with 200 and a comment if a stream has no event for 20 s', async () => {
    const { response, resolve } = call(true);
    await jest.advanceTimersByTimeAsync(HEADERS_AFTER - 1);
    expect(await isPending(response)).toBe(true);
    await jest.advanceTimersByTimeAsync(1);
    const { status, headers, body } = await response;
    expect([status, headers['X-Job-Id'], headers['x-request-id'], headers['Content-Type']]).toEqual([
      200,
      'job-1',
      'request-1',
      'text/event-stream; charset=utf-8',
    ]);
    const { text } = readerOf(body);
    await jest.advanceTimersByTimeAsync(KEEP_ALIVE);
    resolve({ events: textsOf('data: 1\n\n') });
    expect(await text()).toBe(': waiting\n\ndata: 1\n\ndata: [DONE]\n\n');
  });

  it('sends a later error as an event', async () => {
    const { response, reject } = call(true);
    await jest.advanceTimersByTimeAsync(HEADERS_AFTER);
    const { text } = readerOf((await response).body);
    reject(new JobError(500, problem));
    expect(await text()).toBe('data: {"error":{"message":"no","type":"server_error","param":null,"code":null}}\n\n');
  });

  it('lets web pages of the allowed origin read all headers that OpenAI clients read', async () => {
    const page = { ...exchange, origin: 'https://console.example.com' };
    const bytes = Buffer.from('{}');
    const { headers } = await respondOpenAi(page, async () => ({ contentType: 'application/json', bytes }));
    expect(headers).toMatchObject({
      'Access-Control-Allow-Origin': 'https://console.example.com',
      'Access-Control-Expose-Headers': 'Retry-After, X-Job-Id, X-Request-Id, X-Should-Retry',
    });
  });

  it('begins with 200 after 50 s, regardless of when it can no longer be refused', async () => {
    const { promise } = Promise.withResolvers<OpenAiReply>();
    const response = respondOpenAi(exchange, (state) => {
      state.isRefusable = true;
      setTimeout(() => Object.assign(state, { isRefusable: false }), HEADERS_AFTER + 1);
      return promise;
    });
    await jest.advanceTimersByTimeAsync(openAiLimits.headersAfter);
    expect((await response).status).toBe(200);
  });

  it.each([
    ['asks the client not to retry if its job may run', 'job-1', 'false'],
    ['lets the client retry if no job is stored', undefined, undefined],
  ])('fails and %s', async (_, jobId, again) => {
    const { status, headers } = await respondOpenAi(exchange, async (state) => {
      if (jobId !== undefined) state.jobId = jobId;
      throw new Error('broken');
    });
    expect([status, headers['x-should-retry']]).toEqual([500, again]);
  });

  it('returns the status of an error that occurs within 50 s', async () => {
    const { response, reject } = call(false);
    await jest.advanceTimersByTimeAsync(openAiLimits.headersAfter - 1);
    reject(new JobError(404, problem));
    expect((await response).status).toBe(404);
  });

  it.each([
    [
      'its JSON',
      (begun: ReturnType<typeof call>) => begun.resolve({ contentType: 'application/json', bytes: Buffer.from('{}') }),
      ' {}',
    ],
    [
      'the error',
      (begun: ReturnType<typeof call>) => begun.reject(new JobError(404, problem)),
      ' {"error":{"message":"no","type":"server_error","param":null,"code":null}}',
    ],
    [
      'an error instead of a body that is not JSON',
      (begun: ReturnType<typeof call>) => begun.resolve({ contentType: 'audio/mpeg', bytes: Buffer.from('x') }),
      expect.stringMatching(/^ \{"error":\{"message":"The answer took over 50 s and is not JSON/),
    ],
  ])('begins with 200 and spaces after 50 s, before %s', async (_, end, whole) => {
    const begun = call(false);
    await jest.advanceTimersByTimeAsync(openAiLimits.headersAfter);
    const { status, body } = await begun.response;
    expect(status).toBe(200);
    const { text } = readerOf(body);
    await jest.advanceTimersByTimeAsync(KEEP_ALIVE);
    end(begun);
    expect(await text()).toEqual(whole);
  });
});
