/** Tests calls of OpenAI clients to the ingress over HTTP: responses, errors, streams and disconnected clients. */
import { describe, expect, it } from '@jest/globals';
import { cancel } from '../../core/jobs/cancel.ts';
import type { Job } from '../../core/jobs/job.ts';
import { load } from '../../core/jobs/payload.ts';
import { payloadLimits, retention } from '../../core/limits.ts';
import { envelopeOf } from '../../core/openai/envelope.ts';
import { append } from '../../core/streams/append.ts';
import { finish, type Report } from '../../core/workers/report.ts';
import { rescue } from '../../core/workers/rescue.ts';
import { eventually } from '../acceptance/local-service.ts';
import { startIngress } from './ingress.ts';
import { BODY, headers, useOpenAiCalls } from './openai-calls.ts';

const { emulated, address, slots, post, stream, onlyJob, takeOnly, answered } = useOpenAiCalls();
const { ports } = emulated;

const jobIs = (job: Job, status: Job['status']) =>
  eventually(`the job is ${status}`, async () => (await ports.jobs.read(job))?.status === status || undefined);

describe('a call of an OpenAI client', () => {
  it('creates a job of /runsync that has the call as its input', async () => {
    const response = await answered('oa-input', { output: '[{}]' });
    const job = await onlyJob('oa-input');
    expect(await load(ports, job, job.input)).toBe(`{"openai_route":"/v1/chat/completions","openai_input":${BODY}}`);
    expect([job.kind, job.owner, job.retention]).toEqual(['runsync', 'team', retention.runsync]);
    expect([response.headers.get('X-Job-Id'), response.headers.get('x-request-id')]).toEqual([job.id, 'request-1']);
  });

  it.each([
    ['the first element of a list, byte for byte', '[ {"a":12345678901234567890} ,2]', '{"a":12345678901234567890}'],
    ['an output that is not a list', '{"a": 1}', '{"a": 1}'],
    ['null for an empty list', '[]', 'null'],
    [
      'the unchanged element if the worker returns an input with a file',
      '[{"openai_route":"/a","openai_base64":"aaaa"}]',
      '{"openai_route":"/a","openai_base64":"aaaa"}',
    ],
    ['an object that has an error among other members', '[{"id":"r","error":null}]', '{"id":"r","error":null}'],
  ])('is answered with %s', async (name, output, body) => {
    const response = await answered(`oa-${name.replaceAll(/\W/g, '').slice(0, 24).toLowerCase()}`, { output });
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'application/json']);
    expect(await response.text()).toBe(body);
  });

  it('is answered with an output that is stored in the bucket', async () => {
    const text = JSON.stringify({ text: 'x'.repeat(payloadLimits.item) });
    expect(await (await answered('oa-large', { output: `[${text}]` })).text()).toBe(text);
  });

  it('is answered with bytes in the media type that the worker sets', async () => {
    const bytes = Uint8Array.from([0, 255, 200, 10]);
    const response = await answered('oa-bytes', ({ id }) => ({
      output: `[${envelopeOf(id, 'audio/mpeg', Buffer.from(bytes))}]`,
    }));
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'audio/mpeg']);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
  });

  it('reaches a worker that is an HTTP server with any method, and no other worker', async () => {
    await emulated.deploy('oa-delete', { protocol: 'http' });
    const remove = (endpoint: string) => post(endpoint, { method: 'DELETE', body: '' }, 'v1/files/file-1');
    const response = remove('oa-delete');
    const job = await takeOnly('oa-delete');
    expect(await load(ports, job, job.input)).toBe('{"openai_route":"/v1/files/file-1","openai_method":"DELETE"}');
    await finish(ports, job, { output: '[{"deleted":true}]' });
    expect(await (await response).text()).toBe('{"deleted":true}');

    await emulated.deploy('oa-no-delete', { protocol: 'worker' });
    const refused = await remove('oa-no-delete');
    const { error } = (await refused.json()) as { error: object };
    expect([refused.status, error]).toEqual([404, expect.objectContaining({ code: 'ROUTE_NOT_FOUND' })]);
    expect(await Array.fromAsync(ports.jobs.list('oa-no-delete'))).toEqual([]);
  });

  it('creates an input without a body if it is a GET', async () => {
    await emulated.deploy('oa-get');
    const response = fetch(`${address()}/oa-get/openai/v1/models?limit=1&after=a?b`, { headers });
    await finish(ports, await takeOnly('oa-get'), { output: '[{"object":"list"}]' });
    expect(await (await response).json()).toEqual({ object: 'list' });
    const job = await onlyJob('oa-get');
    expect(await load(ports, job, job.input)).toBe('{"openai_route":"/v1/models","openai_query":"limit=1&after=a?b"}');
  });

  it('is answered with the output of the first job with its idempotency key, and is refused with another path', async () => {
    const init = { headers: { 'Idempotency-Key': 'one' } };
    const first = await answered('oa-again', { output: '[1]' }, init);
    const second = await post('oa-again', init);
    expect([await first.text(), await second.text()]).toEqual(['1', '1']);
    expect(second.headers.get('X-Job-Id')).toBe(first.headers.get('X-Job-Id'));
    const other = await post('oa-again', init, 'v1/embeddings');
    expect([other.status, other.headers.get('x-should-retry')]).toEqual([409, 'false']);
  });
});

describe('an error of an OpenAI call', () => {
  const errorOf = async (response: Response) => {
    const { error } = (await response.json()) as { error: Record<string, unknown> };
    return [response.status, error.type, error.code, response.headers.get('x-should-retry')];
  };

  it.each<[string, Report, unknown[]]>([
    [
      'that a worker reports as a Python dictionary',
      { error: "{'error': {'message': 'No', 'type': 'BadRequestError', 'code': 400}}" },
      [400, 'BadRequestError', 400, null],
    ],
    ['of a failed worker', { error: 'CUDA' }, [500, 'server_error', null, 'false']],
    [
      'that a worker returns as output',
      { output: '[{"object":"error","message":"No","code":404}]' },
      [404, 'not_found_error', 404, null],
    ],
    [
      'of an output that is too large',
      { size: payloadLimits.output + 1, output: '1' },
      [500, 'server_error', 'OUTPUT_TOO_LARGE', 'false'],
    ],
  ])("%s has OpenAI's shape and a status", async (name, report, expected) => {
    const response = await answered(`oa-e-${name.replaceAll(/\W/g, '').slice(-20).toLowerCase()}`, report);
    expect(await errorOf(response)).toEqual(expected);
    expect(response.headers.get('X-Job-Id')).toMatch(/^sync-/);
  });

  it.each([
    ["the server's `Retry-After`, and may be repeated", '7', ['7', null]],
    [
      "the server's date, and may be repeated",
      'Wed, 21 Oct 2026 07:28:00 GMT',
      ['Wed, 21 Oct 2026 07:28:00 GMT', null],
    ],
    ['no `Retry-After` if the server sent another text', 'soon\r\nx: y', [null, 'false']],
  ])('has %s', async (name, value, expected) => {
    const endpoint = `oa-later-${name.replaceAll(/\W/g, '').slice(-20).toLowerCase()}`;
    const response = await answered(endpoint, ({ id }) => ({
      error: 'The server has answered.',
      output: envelopeOf(id, 'application/json', Buffer.from('{}'), { status: 503, retryAfter: value }),
    }));
    const { headers: its, status } = response;
    expect([status, its.get('Retry-After'), its.get('x-should-retry')]).toEqual([503, ...expected]);
  });

  it.each([
    ['ai/6.0.326 ai-sdk/provider-utils/4.0.65 runtime/node.js/24', 424],
    ['OpenAI/JS 7.59.0', 500],
  ])(
    'of a failed worker has for %s a status after which this client does not repeat the request',
    async (agent, status) => {
      const init = { headers: { 'User-Agent': agent } };
      const response = await answered(`oa-agent-${status}`, { error: 'CUDA' }, init);
      expect(response.status).toBe(status);
      expect(await errorOf(response)).toEqual([status, 'server_error', null, 'false']);
    },
  );

  it.each([
    [422, null],
    [503, 'false'],
  ])("has the status %d and the body of the worker's server", async (status, retry) => {
    const body = '{"error":{"message":"of the server","odd":1}}';
    const response = await answered(`oa-server-${status}`, ({ id }) => ({
      error: 'The server has answered.',
      output: envelopeOf(id, 'application/problem+json', Buffer.from(body), { status }),
    }));
    expect([response.status, await response.text()]).toEqual([status, body]);
    expect(response.headers.get('Content-Type')).toBe('application/problem+json');
    expect(response.headers.get('x-should-retry')).toBe(retry);
  });

  it('has the status 409 if another call has cancelled the job', async () => {
    await emulated.deploy('oa-cancelled');
    const response = post('oa-cancelled');
    await cancel(ports, await onlyJob('oa-cancelled'));
    expect(await errorOf(await response)).toEqual([409, 'conflict_error', 'CANCELLED', 'false']);
  });

  it.each([
    ['an unknown endpoint', 'oa-missing', BODY, [404, 'not_found_error', 'ENDPOINT_NOT_FOUND', null]],
    ['a body that is not JSON', 'oa-refused', '{', [400, 'invalid_request_error', 'INVALID_REQUEST', null]],
  ])("has OpenAI's shape and creates no job for %s", async (_, endpoint, body, expected) => {
    await emulated.deploy('oa-refused');
    const response = await post(endpoint, { body });
    expect(await errorOf(response)).toEqual(expected);
    expect(response.headers.get('X-Job-Id')).toBeNull();
    expect(await Array.fromAsync(ports.jobs.list('oa-refused'))).toEqual([]);
  });

  it("has OpenAI's shape even before a job is stored", async () => {
    const unauthorized = await fetch(`${address()}/oa-refused/openai/v1/models`);
    expect(await errorOf(unauthorized)).toEqual([401, 'authentication_error', 'UNAUTHORIZED', null]);
    const large = await post('oa-refused', { body: `{"a":"${'x'.repeat(payloadLimits.body.runsync)}"}` });
    expect(await errorOf(large)).toEqual([413, 'invalid_request_error', 'PAYLOAD_TOO_LARGE', null]);
    const full = await startIngress(ports, {}, { maxOpenCalls: 0 });
    const refused = await fetch(`${full.gateway}/oa-refused/openai/v1/models`, { headers });
    expect([...(await errorOf(refused)), refused.headers.get('Retry-After')]).toEqual([
      429,
      'rate_limit_error',
      'TOO_MANY_REQUESTS',
      null,
      '5',
    ]);
    await full.stop();
  });
});

const DONE = 'data: [DONE]\n\n';

describe('a stream of an OpenAI client', () => {
  async function begin(endpoint: string, texts: readonly unknown[], init: RequestInit = {}) {
    await emulated.deploy(endpoint);
    const response = stream(endpoint, init);
    const job = await takeOnly(endpoint);
    for (const [n, text] of texts.entries()) await append(ports, job, n, { output: JSON.stringify(text) });
    return { job, response };
  }

  it("sends the worker's strings as they arrive, before the job has ended", async () => {
    const { job, response } = await begin('oa-stream', ['data: {"a":1}\n\nda']);
    const { status, headers: sent, body } = await response;
    expect([status, sent.get('Content-Type'), sent.get('X-Job-Id')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      job.id,
    ]);
    const reader = (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe('data: {"a":1}\n\nda');
    await append(ports, job, 1, { output: JSON.stringify(`ta: {"b":2}\n\n${DONE}`) });
    expect((await reader.read()).value).toBe(`ta: {"b":2}\n\n${DONE}`);
    await finish(ports, job, { output: '[]', chunks: 2 });
    expect((await reader.read()).done).toBe(true);
    await eventually('the slot is free', () => slots() === 0 || undefined);
  });

  it('has an event for each chunk that is not a string, and then [DONE]', async () => {
    const { job, response } = await begin('oa-objects', [{ a: 1 }, 2]);
    await finish(ports, job, { output: '[]', chunks: 2 });
    expect(await (await response).text()).toBe(`data: {"a":1}\n\ndata: 2\n\n${DONE}`);
  });

  it('sends one event for a chunk that was stored in parts', async () => {
    const large = { text: 'ä'.repeat(payloadLimits.chunk / 2) };
    const { job, response } = await begin('oa-cut', []);
    const count = await append(ports, job, 0, { output: JSON.stringify(large) });
    await finish(ports, job, { output: '[]', chunks: count });
    expect(count).toBeGreaterThan(1);
    const isWhole = (await (await response).text()) === `data: ${JSON.stringify(large)}\n\n${DONE}`;
    expect(isWhole).toBe(true);
  });

  it('has one event for a divided chunk, even if its parts are stored in an item with other chunks', async () => {
    const { job, response } = await begin('oa-packed', []);
    const output = (value: unknown) => ({ output: { inline: JSON.stringify(value) } });
    const metrics = '{"of":{"part":1,"parts":2}}';
    const chunks = [
      { ...output(['0']), metrics },
      { ...output('{"a":'), metrics, part: 1, parts: 2 },
      { ...output('1}'), part: 2, parts: 2 },
      output({ b: ',"part":1,"parts":2' }),
    ];
    await ports.chunks.write(job, job.attempt, 0, chunks, job.removeAfter);
    await finish(ports, job, { output: '[]', chunks: chunks.length });
    const events = ['["0"]', '{"a":1}', '{"b":",\\"part\\":1,\\"parts\\":2"}', '[DONE]'];
    expect(await (await response).text()).toBe(events.map((event) => `data: ${event}\n\n`).join(''));
  });

  it('sends the return value of a handler that streams nothing', async () => {
    const { job, response } = await begin('oa-returned', []);
    await finish(ports, job, { output: JSON.stringify(['data: 1\n\n', { b: 2 }]) });
    expect(await (await response).text()).toBe(`data: 1\n\ndata: {"b":2}\n\n${DONE}`);
  });

  it('has the status of an error that occurs before its first event', async () => {
    const { job, response } = await begin('oa-early', []);
    await finish(ports, job, { error: 'vLLM returned HTTP 404: {"error":{"message":"No model"}}' });
    expect((await response).status).toBe(404);
  });

  it('ends with an error event if it fails after its first event', async () => {
    const { job, response } = await begin('oa-later', ['data: 1\n\n']);
    const { status, body } = await response;
    await finish(ports, job, { error: "{'message': 'broken', 'code': 400}", chunks: 1 });
    expect([status, await new Response(body).text()]).toEqual([
      200,
      'data: 1\n\ndata: {"error":{"message":"broken","type":"invalid_request_error","param":null,"code":400}}\n\n',
    ]);
  });

  it('ends with an error and cancels its job if the job begins again after the first event', async () => {
    const { job, response } = await begin('oa-lost', ['data: 1\n\n']);
    const { body } = await response;
    await rescue(ports, job, 0, job.generation);
    expect(await new Response(body).text()).toMatch(/^data: 1\n\ndata: \{"error":.*"WORKER_LOST"\}\}\n\n$/);
    await jobIs(job, 'CANCELLED');
  });
});

describe('an OpenAI client that disconnects', () => {
  it.each([
    ['while it waits for a response', post],
    ['while it waits for the first event', stream],
  ] as const)('%s cancels its job and frees its slot', async (name, call) => {
    const endpoint = `oa-gone-${name.slice(-5).replace(' ', '')}`;
    await emulated.deploy(endpoint);
    const leaving = new AbortController();
    const response = call(endpoint, { signal: leaving.signal });
    const job = await takeOnly(endpoint);
    leaving.abort();
    await expect(response).rejects.toThrow();
    await jobIs(job, 'CANCELLED');
    await eventually('the slot is free', () => slots() === 0 || undefined);
  });

  it('cancels its job in the middle of a stream', async () => {
    await emulated.deploy('oa-middle');
    const leaving = new AbortController();
    const response = stream('oa-middle', { signal: leaving.signal });
    const job = await takeOnly('oa-middle');
    await append(ports, job, 0, { output: '"data: 1\\n\\n"' });
    await response;
    leaving.abort();
    await jobIs(job, 'CANCELLED');
  });

  it('can repeat its request if the request has an idempotency key', async () => {
    await emulated.deploy('oa-back');
    const leaving = new AbortController();
    const init = { headers: { 'Idempotency-Key': 'one' } };
    const left = stream('oa-back', { ...init, signal: leaving.signal });
    const job = await takeOnly('oa-back');
    leaving.abort();
    await expect(left).rejects.toThrow();
    await eventually('the slot is free', () => slots() === 0 || undefined);
    const again = stream('oa-back', init);
    await append(ports, job, 0, { output: '"data: 1\\n\\n"' });
    await finish(ports, job, { output: '[]', chunks: 1 });
    expect(await (await again).text()).toBe(`data: 1\n\n${DONE}`);
  });
});
