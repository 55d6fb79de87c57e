/** Tests methods that stream their response, over HTTP. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import { BLOCK, streamingHandler } from '../functions/streaming-handler.ts';
import {
  createSharedFunctions,
  eventually,
  functionResource,
  type Resources,
  type SmallService,
  startSmallService,
} from '../small-service.ts';
import { holdTime, passTime } from '../time-limits.ts';
import { FIRST_KEY, gatewayResponse, resources, set, code as smallCode, streamed, uri } from './small-api.ts';

const code = `${smallCode}${streamingHandler}`;
const OK = '{"statusCode":200}';

const functions = createSharedFunctions();
let service: SmallService | undefined;

afterAll(() => functions.stop());
afterEach(async () => {
  jest.useRealTimers();
  await service?.stop();
  service = undefined;
});

async function serve(change: (resources: Resources) => void = () => undefined, bundle?: string): Promise<void> {
  const all = resources();
  all.Streamer = functionResource('stream', { Timeout: 20 });
  for (const method of ['RunGet', 'RunPost']) set(all, method, { Integration: streamed('Streamer') });
  change(all);
  const stacks = { Small: { Resources: all } };
  service = await startSmallService(stacks, bundle ?? code, bundle === undefined ? { functions } : {});
}

type Query = Readonly<Record<string, string>>;

const pathOf = (query: Query) => `/v2/a/run?${new URLSearchParams(query)}`;

async function call(query: Query, { method = 'GET', authorization = `Allow ${FIRST_KEY}`, path = pathOf(query) } = {}) {
  const headers = { ...(authorization && { Authorization: authorization }) };
  const response = await fetch(`${service?.url}${path}`, { method, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Starts a call and returns its response before any byte of the body is read. */
async function open(query: Query): Promise<IncomingMessage> {
  const sent = request(`${service?.url}${pathOf(query)}`, { headers: { Authorization: `Allow ${FIRST_KEY}` } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

const state = async () =>
  JSON.parse((await call({ prelude: OK, state: '', end: '' })).text) as { written: number; held: number };

describe('a streamed method', () => {
  it('has the status and the headers of the metadata', async () => {
    await serve();
    const metadata = JSON.stringify({
      statusCode: '418',
      headers: { 'X-One': 1 },
      multiValueHeaders: { 'X-Two': ['a', 'b'] },
      cookies: ['a=1', 'b=2'],
    });
    const { status, headers, text } = await call({ from: metadata, write: 'tea', end: '' });
    expect([status, text]).toEqual([418, 'tea']);
    expect([headers.get('x-one'), headers.get('x-two'), headers.getSetCookie()]).toEqual(['1', 'a, b', ['a=1', 'b=2']]);
    expect(headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('sends headers and chunks as the function writes them', async () => {
    await serve();
    const response = await open({ prelude: OK, hold: '', write: 'last', end: '' });
    expect(response.statusCode).toBe(200);
    await call({ release: '', prelude: OK, end: '' });
    expect(await textOf(response)).toBe('last');

    const again = await open({ prelude: OK, write: 'first', hold: '', end: '' });
    const [first] = (await once(again, 'data')) as [Buffer];
    expect(first.toString()).toBe('first');
    await call({ release: '', prelude: OK, end: '' });
    expect(await textOf(again)).toBe('');
  });

  it('can have a body of more than 10 MB, or no body', async () => {
    await serve();
    expect((await call({ prelude: OK, blocks: '12' })).text).toHaveLength(12 * BLOCK);
    expect(await call({ prelude: OK, end: '' })).toMatchObject({ status: 200, text: '' });
  });

  it('finds the metadata wherever the chunks are split', async () => {
    await serve();
    expect(await call({ bytes: OK, write: 'body', end: '' })).toMatchObject({ status: 200, text: 'body' });
    const padded = { pad: String(16 * 1024 - 8 - OK.length), prelude: OK, write: 'body', end: '' };
    expect(await call(padded)).toMatchObject({ status: 200, text: 'body' });
  });

  it('waits for a slow reader', async () => {
    await serve();
    const { written: before } = await state();
    const response = await open({ prelude: OK, blocks: '50' });
    for (let n = 0; n < 20; n += 1) expect((await state()).written - before).toBeLessThan(25 * BLOCK);
    expect(await textOf(response)).toHaveLength(50 * BLOCK);
  });

  it('lets the handler complete when the caller disconnects', async () => {
    await serve();
    const { written: before } = await state();
    const response = await open({ prelude: OK, blocks: '50' });
    response.destroy();
    await eventually('the handler has finished', async () => (await state()).written - before === 50 * BLOCK);
  });

  it.each<[string, Query]>([
    ['no metadata', { write: '{"id":1}', end: '' }],
    ['an empty response', { end: '' }],
    ['metadata that is not JSON', { prelude: 'status 200', end: '' }],
    ['no status', { prelude: '{}', end: '' }],
    ['an invalid header', { prelude: '{"statusCode":200,"headers":{"a":"b\\n"}}', end: '' }],
    ['metadata of more than 16 KB', { pad: String(16 * 1024 - 7 - OK.length), prelude: OK, end: '' }],
    ['an error before the metadata', { throw: 'broken' }],
  ])('answers 502 for %s', async (_, query) => {
    await serve();
    expect(await call(query)).toMatchObject({ status: 502, text: '{"message":"Internal server error"}' });
  });

  it('is cut if the function fails after the first chunk', async () => {
    await serve();
    const response = await open({ prelude: OK, write: 'first', hold: '', throw: 'broken' });
    const [first] = (await once(response, 'data')) as [Buffer];
    expect(first.toString()).toBe('first');
    const cut = expect(textOf(response)).rejects.toThrow('aborted');
    await call({ release: '', prelude: OK, end: '' });
    await cut;
  });

  it('returns 504 at its timeout before the metadata, and is cut at its timeout after the metadata', async () => {
    await serve((all) => {
      set(all, 'RunGet', { Integration: streamed('Streamer', { TimeoutInMillis: 2_000 }) });
    });
    holdTime();
    const timeout = { status: 504, text: '{"message":"Endpoint request timed out"}' };
    const { held: before } = await state();
    const refused = call({ hold: '' });
    await eventually('the handler runs', async () => (await state()).held > before);
    await passTime(2_000);
    expect(await refused).toMatchObject(timeout);
    const response = await open({ prelude: OK, hold: '' });
    const cut = expect(textOf(response)).rejects.toThrow('aborted');
    await passTime(2_000);
    await cut;
  });

  it('has its whole time although its request was sent during the response before it', async () => {
    holdTime();
    await serve();
    const requestWith = (...more: string[]) =>
      [
        `GET ${pathOf({ prelude: OK, blocks: '20' })} HTTP/1.1`,
        'Host: 127.0.0.1',
        `Authorization: Allow ${FIRST_KEY}`,
        ...more,
        '\r\n',
      ].join('\r\n');
    const socket = connect(Number(new URL(service?.url ?? '').port), '127.0.0.1').setEncoding('latin1');
    socket.write(requestWith() + requestWith('Connection: close'));
    const head = 'HTTP/1.1 200 OK';
    let [heads, tail] = [0, ''];
    for await (const chunk of socket) {
      const received: string = tail + chunk;
      tail = received.slice(1 - head.length);
      if (!received.includes(head)) continue;
      heads += 1;
      // The client pauses for less than a function may take for one response, and for more than that in sum.
      await passTime(15_000);
    }
    expect([heads, tail]).toEqual([2, expect.stringMatching(/x\r\n0\r\n\r\n$/)]);
  });

  it('is refused like any other method', async () => {
    await serve((all) => {
      const body = (code: string) => ({ ResponseTemplates: { 'application/json': `{"code":"${code}"}` } });
      all.Limit = gatewayResponse('THROTTLED', { ...body('SLOWER'), ResponseParameters: {} });
      all.NoKey = gatewayResponse('ACCESS_DENIED', { ...body('KEY'), StatusCode: '401' });
      all.NoRoute = gatewayResponse('MISSING_AUTHENTICATION_TOKEN', { ...body('ROUTE'), StatusCode: '404' });
    });
    const query = { prelude: OK, end: '' };
    expect(await call(query, { authorization: '' })).toMatchObject({ status: 401 });
    expect(await call(query, { authorization: 'Deny' })).toMatchObject({ status: 401, text: '{"code":"KEY"}' });
    expect(await call(query, { method: 'PUT', authorization: '' })).toMatchObject({
      status: 404,
      text: '{"code":"ROUTE"}',
    });
    const answers = [1, 2, 3].map(() => call(query, { method: 'POST' }));
    expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 200, 429]);
  });

  it('supports the streaming mode of middy without changes', async () => {
    const source = `
      import middy from '@middy/core';
      import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
      import { Readable } from 'node:stream';
      export const stream = middy({ executionMode: executionModeStreamifyResponse })
        .onError(({ error }) => ({ statusCode: 400, body: error.message }))
        .handler(async ({ queryStringParameters: { asked } }) => {
          if (asked === 'fail') throw new Error('refused');
          const body = { long: 'x'.repeat(100_000), stream: Readable.from(['a', 'b']), empty: '' }[asked];
          return { statusCode: 200, headers: { 'X-Middy': 'yes' }, body };
        });`;
    const options = ['--bundle', '--format=cjs', '--platform=node', '--main-fields=module,main', '--minify'];
    const bundle = execFileSync('node_modules/.bin/esbuild', options, { input: source, encoding: 'utf8' });
    await serve(
      () => undefined,
      `${smallCode};const { authorize } = exports;${bundle};module.exports.authorize ??= authorize;`,
    );
    expect((await call({ asked: 'long' })).text).toHaveLength(100_000);
    expect(await call({ asked: 'stream' })).toMatchObject({ status: 200, text: 'ab' });
    expect(await call({ asked: 'empty' })).toMatchObject({ status: 200, text: '' });
    expect(await call({ asked: 'fail' })).toMatchObject({ status: 400, text: 'refused' });
    expect((await call({ asked: 'empty' })).headers.get('x-middy')).toBe('yes');
  });
});

describe('a method and a function of which only one streams', () => {
  it('return 502 if only the method streams', async () => {
    await serve((all) => {
      set(all, 'RunGet', { Integration: streamed('Handler') });
    });
    expect(await call({ answer: OK })).toMatchObject({ status: 502, text: '{"message":"Internal server error"}' });
  });

  it('return 502 if only the function streams', async () => {
    await serve((all) => {
      set(all, 'RunGet', { Integration: { Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST', Uri: uri('Streamer') } });
    });
    expect(await call({ from: OK, write: 'body', end: '' })).toMatchObject({ status: 502 });
  });
});

describe('an integration', () => {
  const buffered = { Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST', Uri: uri('Handler') };

  it.each<[string, Record<string, unknown>, string]>([
    [
      'a timeout of more than 29 seconds for a buffered response',
      { ...buffered, TimeoutInMillis: 29_001 },
      'Small/RunGet (AWS::ApiGateway::Method) cannot run here: its TimeoutInMillis is 29001, and API Gateway waits at most 29000 ms for a BUFFERED response.',
    ],
    [
      'a timeout of more than 15 minutes for a streamed response',
      streamed('Streamer', { TimeoutInMillis: 900_001 }),
      'its TimeoutInMillis is 900001, and API Gateway waits at most 900000 ms for a STREAM response.',
    ],
    [
      'a streamed response with the URI for buffered responses',
      streamed('Streamer', { Uri: uri('Streamer') }),
      'is not a streamed invocation of a function.',
    ],
    [
      'a buffered response with the URI for streamed responses',
      streamed('Streamer', { ResponseTransferMode: 'BUFFERED' }),
      'is not the invocation of a function.',
    ],
    [
      'an unknown transfer mode',
      streamed('Streamer', { ResponseTransferMode: 'TRICKLE' }),
      'the property Integration.ResponseTransferMode cannot be "TRICKLE".',
    ],
  ])('is refused if it has %s', async (_, Integration, sentence) => {
    await expect(serve((all) => set(all, 'RunGet', { Integration }))).rejects.toThrow(sentence);
  });

  it('is accepted with the longest timeouts', async () => {
    await serve((all) => {
      set(all, 'RunGet', { Integration: streamed('Streamer', { TimeoutInMillis: 900_000 }) });
      set(all, 'RunPost', { Integration: { ...buffered, TimeoutInMillis: 29_000 } });
    });
    expect((await call({ prelude: OK, end: '' })).status).toBe(200);
    expect((await call({}, { method: 'POST' })).status).toBe(200);
  });
});
