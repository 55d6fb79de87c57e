/** Calls streaming handlers as Lambda does, on a clock that the tests move. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { InvalidRequest, JobNotFound, QueueFull, TooManyRequests, WorkerLost } from '../../core/requests/errors.ts';
import { httpPieces, httpStream } from '../../lambda/http.ts';
import { awslambda } from '../../packages/emulator/functions/awslambda.ts';
import { type Part, ResponseStream } from '../../packages/emulator/functions/response-stream.ts';

/** The headers of each JSON response. */
const JSON_HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'private, no-store',
  'X-Content-Type-Options': 'nosniff',
};

Object.assign(globalThis, { awslambda });

const event = {
  headers: { 'user-AGENT': 'a client' },
  queryStringParameters: { wait: '5000' },
  multiValueQueryStringParameters: { wait: ['5000'] },
  requestContext: { requestId: 'r-1', authorizer: {} },
};

type Handler = (event: object, stream: ResponseStream, context: object) => Promise<void>;

/** A part of a response, with the second in which it is sent. */
interface Sent {
  readonly second: number;
  readonly bytes: Buffer;
}

/** Lambda's stream to a caller that reads all data immediately. */
function eager(sent: Sent[]): ResponseStream {
  const begin = Date.now();
  const add = (bytes: Buffer) => void sent.push({ second: (Date.now() - begin) / 1_000, bytes });
  const send = (part: Part) => {
    if (part.type === 'chunk') add(Buffer.from(part.bytes));
    else if (part.type === 'whole') add(Buffer.from(part.body));
    if (part.type !== 'chunk') add(Buffer.from(part.type === 'error' ? 'error' : 'end'));
  };
  return new ResponseStream(send, Number.POSITIVE_INFINITY);
}

const textOf = (sent?: Sent) => sent?.bytes.toString('utf8') ?? '';

type Handle = Parameters<typeof httpStream>[0];

function start(handle: Handle) {
  const sent: Sent[] = [];
  const handler = httpStream(handle) as unknown as Handler;
  return { sent, over: handler(event, eager(sent), { functionName: 'test' }) };
}

function answer(handle: Handle) {
  return received(start(handle));
}

async function received({ sent, over }: { sent: readonly Sent[]; over: Promise<void> }) {
  await over;
  const all = Buffer.concat(sent.slice(0, -1).map(({ bytes }) => bytes));
  const [metadata = '', body = ''] = all.toString('utf8').split('\0'.repeat(8));
  return { ...(JSON.parse(metadata) as { statusCode: number; headers: object }), body, last: textOf(sent.at(-1)) };
}

const after = (seconds: number, text: string) =>
  new Promise<string>((resolve) => setTimeout(() => resolve(text), seconds * 1_000));

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('a streaming handler', () => {
  it('gets the query', async () => {
    const { body } = await answer(async ({ query }) => query);
    expect(body).toBe('{"wait":"5000"}');
  });

  it('gets the name of the client from a header in upper or lower case', async () => {
    const { body } = await answer(async ({ userAgent }) => ({ userAgent }));
    expect(body).toBe('{"userAgent":"a client"}');
  });

  it('answers 200 with an unchanged string, or with an object as JSON', async () => {
    const headers = JSON_HEADERS;
    expect(await answer(async () => '{"n":-0}')).toEqual({ statusCode: 200, headers, body: '{"n":-0}', last: 'end' });
    expect(await answer(async () => ({ id: 'j1' }))).toMatchObject({ statusCode: 200, body: '{"id":"j1"}' });
  });

  it('returns every character of a long string', async () => {
    const text = `"${'🙂'.repeat(20_000)}"`;
    const success = await answer(async () => text);
    expect(success.body === text).toBe(true);
    const failure = await answer(async () => Promise.reject(new InvalidRequest(text)));
    expect([failure.statusCode, JSON.parse(failure.body).error === text]).toEqual([400, true]);
  });

  it.each([
    ['INVALID_REQUEST', 400, new InvalidRequest('`input` is missing.')],
    ['JOB_NOT_FOUND', 404, new JobNotFound('echo', 'j1')],
  ])('answers %s with status %d and the common error body', async (code, statusCode, error) => {
    const response = await answer(async () => Promise.reject(error));
    expect(response).toMatchObject({ statusCode, headers: JSON_HEADERS, last: 'end' });
    expect(JSON.parse(response.body)).toEqual({ error: error.message, code, requestId: 'r-1' });
  });

  it('sends Retry-After only if the error sets it', async () => {
    const full = await answer(async () => Promise.reject(new QueueFull('echo', { waiting: 51, max: 50 })));
    expect(full).toMatchObject({
      statusCode: 429,
      headers: { 'Retry-After': '5', ...JSON_HEADERS },
    });
    const missing = await answer(async () => Promise.reject(new JobNotFound('echo', 'j1')));
    expect(missing.headers).toEqual(JSON_HEADERS);
  });

  it('answers 500 for any other error, logs it, and hides it from the caller', async () => {
    const logged = jest.spyOn(console, 'error').mockReturnValue();
    const { statusCode, body } = await answer(async () => Promise.reject(new Error('arn:aws:dynamodb:canary')));
    expect(statusCode).toBe(500);
    expect(JSON.parse(body)).toMatchObject({ code: 'INTERNAL', requestId: 'r-1' });
    expect(body).not.toContain('canary');
    expect(JSON.stringify(logged.mock.calls)).toContain('canary');
  });
});

describe('a slow response', () => {
  const headers =
    '{"statusCode":200,"headers":{"Content-Type":"application/json","Cache-Control":"private, no-store","X-Content-Type-Options":"nosniff"}}';

  it('has nothing before its body if it takes less than 20 seconds', async () => {
    const { sent, over } = start(() => after(19, '{}'));
    await jest.advanceTimersByTimeAsync(60_000);
    await over;
    expect(sent.map(({ second }) => second)).toEqual([19, 19]);
    expect(sent.map(textOf)).toEqual([`${headers}${'\0'.repeat(8)}{}`, 'end']);
  });

  it('begins with its headers after 20 seconds, then has a space every 10 seconds, then the body', async () => {
    const { sent, over } = start(() => after(45, '{"a":1}'));
    await jest.advanceTimersByTimeAsync(60_000);
    await over;
    expect(sent.map((part) => [part.second, textOf(part)])).toEqual([
      [20, headers + '\0'.repeat(8)],
      [30, ' '],
      [40, ' '],
      [45, '{"a":1}'],
      [45, 'end'],
    ]);
  });

  it.each([
    [19, 'COMPLETED'],
    [45, 'COMPLETED'],
  ])('has the id of the accepted job in its headers if it takes %d seconds', async (seconds, text) => {
    const { sent, over } = start((_, state) => {
      state.jobId = 'sync-1';
      return after(seconds, text);
    });
    await jest.advanceTimersByTimeAsync(60_000);
    await over;
    expect(textOf(sent[0])).toContain('"X-Job-Id":"sync-1"');
  });

  it('does not have the id of a job that was accepted after the headers were sent', async () => {
    const { sent, over } = start(async (_, state) => {
      await after(21, '');
      state.jobId = 'sync-1';
      return '{}';
    });
    await jest.advanceTimersByTimeAsync(60_000);
    await over;
    expect(sent.map(textOf).join('')).not.toContain('sync-1');
  });

  it.each([
    [19, 500],
    [25, 200],
  ])('has the record of a job whose worker is lost after %d seconds, and status %d', async (seconds, status) => {
    const record = { id: 'sync-1', status: 'FAILED', attempts: 3, error: 'Gone.', code: 'WORKER_LOST' };
    const { sent, over } = start((_, state) => {
      state.jobId = record.id;
      return after(seconds, '').then(() => Promise.reject(new WorkerLost(record)));
    });
    await jest.advanceTimersByTimeAsync(60_000);
    await over;
    expect(textOf(sent[0])).toContain(`"statusCode":${status}`);
    expect(textOf(sent[0])).toContain('"X-Job-Id":"sync-1"');
    const body = textOf(sent.at(-2)).split('\0'.repeat(8)).at(-1) ?? '';
    expect(JSON.parse(body)).toEqual({ ...record, requestId: 'r-1' });
  });

  it('has the status of its error if it fails before 20 seconds', async () => {
    const { sent, over } = start(() => after(19, '').then(() => Promise.reject(new JobNotFound('echo', 'j1'))));
    await jest.advanceTimersByTimeAsync(60_000);
    await over;
    expect(textOf(sent[0])).toContain('"statusCode":404');
  });

  it('ends with the JSON of its error if it fails after 20 seconds', async () => {
    const error = new JobNotFound('echo', 'j1');
    const { sent, over } = start(() => after(25, '').then(() => Promise.reject(error)));
    await jest.advanceTimersByTimeAsync(60_000);
    await over;
    const [first, text, end] = sent;
    expect([sent.length, first?.second, text?.second, textOf(end)]).toEqual([3, 20, 25, 'end']);
    expect(JSON.parse(textOf(text))).toEqual({ error: error.message, code: 'JOB_NOT_FOUND', requestId: 'r-1' });
  });

  it('has the status of a late refusal if the request can still be refused', async () => {
    const { sent, over } = start((_, state) => {
      state.isRefusable = true;
      return after(45, '').then(() => Promise.reject(new TooManyRequests('All slots are in use.', 5)));
    });
    await jest.advanceTimersByTimeAsync(60_000);
    await over;
    expect(sent[0]).toMatchObject({ second: 45 });
    expect(textOf(sent[0])).toContain('"statusCode":429');
    expect(textOf(sent[0])).toContain('"Retry-After":"5"');
  });

  it('has its headers before its body if the request is admitted late', async () => {
    const { sent, over } = start(async (_, state) => {
      state.isRefusable = true;
      await after(21, '');
      state.jobId = 'sync-1';
      state.isRefusable = false;
      return after(40, '{}');
    });
    await jest.advanceTimersByTimeAsync(90_000);
    await over;
    expect(sent[0]).toMatchObject({ second: 40 });
    expect(textOf(sent[0])).toContain('"X-Job-Id":"sync-1"');
    expect(sent.map(textOf).slice(-2)).toEqual(['{}', 'end']);
  });

  it('leaves no timer running', async () => {
    await answer(async () => '{}');
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('a response that is generated while it is sent', () => {
  function answerWith(pieces: () => AsyncIterable<string>) {
    const sent: Sent[] = [];
    const handler = httpPieces(async () => pieces()) as unknown as Handler;
    const over = handler(event, eager(sent), { functionName: 'test' });
    // After the first part, a failure can only be shown in the response.
    return received({ sent, over: over.catch(() => undefined) });
  }

  it('has all parts in order', async () => {
    const answered = await answerWith(async function* () {
      yield '["é"';
      yield* Array.from({ length: 100 }, (_, n) => `,"${n}${'🙂'.repeat(1_000)}"`);
      yield ']';
    });
    expect(answered).toMatchObject({ statusCode: 200, last: 'end' });
    const strings = JSON.parse(answered.body) as string[];
    expect(strings).toHaveLength(101);
    expect(strings.at(-1)).toBe(`99${'🙂'.repeat(1_000)}`);
  });

  it('has the status of an error that occurs before its first part', async () => {
    const answered = await answerWith(async function* () {
      yield await Promise.reject(new JobNotFound('echo', 'j1'));
    });
    expect(answered).toMatchObject({ statusCode: 404, last: 'end' });
    expect(JSON.parse(answered.body)).toMatchObject({ code: 'JOB_NOT_FOUND' });
  });

  it('is cut off at the part that fails', async () => {
    const answered = await answerWith(async function* () {
      yield '[1';
      throw new Error('The table does not exist.');
    });
    expect(answered).toMatchObject({ statusCode: 200, last: 'error' });
  });
});
