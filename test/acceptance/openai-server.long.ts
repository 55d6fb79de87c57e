/**
 * Tests a stock OpenAI-compatible server as a worker: llama.cpp behind the agent, by jobs that represent its calls, and
 * by calls of OpenAI's clients.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MINUTE } from '../../core/limits.ts';
import { type Answer, call, eventually, type LocalService, stopService } from './local-service.ts';
import { withPython } from './workers/kinds-here.ts';
import { LLAMA, startLlamaService } from './workers/llama/llama.ts';
import { type Place, placeAt } from './workers/place.ts';

const CHAT = '/v1/chat/completions';
const messages = [{ role: 'user', content: 'Say é.' }];

let service: LocalService | undefined;
let place: Place;

beforeAll(async () => {
  if (!withPython) return;
  service = await startLlamaService();
  place = placeAt(service, LLAMA);
}, 8 * MINUTE);
afterAll(async () => {
  if (service) await stopService(service);
});

/** The record of a job that stands for a call, as `/runsync` answers it. @param more members of its input */
async function runsync(openai_route: string, more: object = {}): Promise<Answer['json']> {
  if (!service) throw new Error('The service has not been started.');
  const url = `${service.JobApiUrl}/${LLAMA}/runsync?wait=100000`;
  return (await call(service, 'POST', url, { body: JSON.stringify({ input: { openai_route, ...more } }) })).json;
}

/** An answer of so many tokens, which does not end by itself. */
const chatOf = (max_tokens: number, more: object = {}) => ({
  openai_input: { messages, max_tokens, ignore_eos: true, ...more },
});

/** The events of a stream of server-sent events that came in pieces. */
const eventsOf = (chunks: readonly unknown[]) => chunks.join('').split('\n\n').filter(Boolean);

/** A transcription's request, which the server takes apart before it looks at its model. */
const form = {
  openai_content_type: 'multipart/form-data; boundary=b',
  openai_base64: Buffer.from(
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF\0\r\n' +
      '--b\r\nContent-Disposition: form-data; name="model"\r\n\r\nx\r\n--b--\r\n',
  ).toString('base64'),
};

function audio(): FormData {
  const body = new FormData();
  body.set('file', new Blob(['RIFF\0']), 'a.wav');
  body.set('model', 'x');
  return body;
}

interface Refusal {
  readonly openai_status: number;
  readonly openai_content_type: string;
  readonly openai_base64: string;
}

const bodyOf = ({ openai_base64: base64 }: Refusal): unknown => JSON.parse(Buffer.from(base64, 'base64').toString());

it('runs llama.cpp where Python is installed', () => {
  if (!withPython) console.log('There is no Python here that can make environments: llama.cpp is not tested.');
  expect(service !== undefined).toBe(withPython);
});

function describeServer(): void {
  it('lists its models', async () => {
    const { status, output } = await runsync('/v1/models');
    const list = { object: 'list', data: [{ object: 'model' }] };
    expect({ status, output }).toMatchObject({ status: 'COMPLETED', output: [list] });
  });

  it('answers a chat', async () => {
    const { status, output } = await runsync(CHAT, chatOf(8));
    const message = { role: 'assistant', content: expect.any(String) };
    const answer = { choices: [{ finish_reason: 'length', message }], usage: { completion_tokens: 8 } };
    expect({ status, output }).toMatchObject({ status: 'COMPLETED', output: [answer] });
  });

  it('streams a chat as its own events, with the last one', async () => {
    const record = await runsync(CHAT, chatOf(8, { stream: true }));
    expect(record).toMatchObject({ status: 'COMPLETED', output: [] });
    const chunks = await place.chunks(String(record.id));
    expect(chunks.every((chunk) => typeof chunk === 'string')).toBe(true);
    const events = eventsOf(chunks);
    expect(events.pop()).toBe('data: [DONE]');
    const parsed = events.map((event) => JSON.parse(event.replace(/^data: /, '')) as object);
    expect(parsed.length).toBeGreaterThan(1);
    for (const event of parsed) expect(event).toMatchObject({ object: 'chat.completion.chunk' });
    expect(parsed.at(-1)).toMatchObject({ choices: [{ finish_reason: 'length' }] });
  });

  it('answers with embeddings', async () => {
    const { status, output } = await runsync('/v1/embeddings', { openai_input: { input: ['one', 'two'] } });
    const vector = { object: 'embedding', embedding: expect.arrayContaining([expect.any(Number)]) };
    const list = { object: 'list', data: [vector, vector] };
    expect({ status, output }).toMatchObject({ status: 'COMPLETED', output: [list] });
  });

  it.each([
    ['no messages', CHAT, { openai_input: {} }, 400, "'messages' is required"],
    ['no such path', '/v1/nothing', { openai_input: {} }, 404, 'File Not Found'],
    ['a form with a file', '/v1/audio/transcriptions', form, 501, 'The current model does not support audio input.'],
  ])('fails a call that it refuses, with its status and body: %s', async (_, route, more, refused, message) => {
    const { status, error, output } = await runsync(route, more);
    const sentence = expect.stringMatching(`^The server answered ${refused} .+: {"error":`);
    expect({ status, error }).toMatchObject({ status: 'FAILED', error: sentence });
    const refusal = output as Refusal;
    expect(refusal.openai_status).toBe(refused);
    expect(refusal.openai_content_type).toMatch(/^application\/json/);
    expect(bodyOf(refusal)).toMatchObject({ error: { code: refused, message } });
  });

  it('stops computing when its job is cancelled, and takes the next job', async () => {
    const id = await place.submit({ openai_route: CHAT, ...chatOf(100_000_000, { stream: true }) });
    await eventually('it streams', async () => (await place.chunks(id)).length > 3 || undefined);
    await place.cancel(id);
    // It has room for one: this one would wait for ever if the first continued.
    const next = await place.outcome({ openai_route: CHAT, ...chatOf(4) });
    const { status, workerId } = await place.status(id);
    expect(status).toBe('CANCELLED');
    expect(next).toMatchObject({ status: 'COMPLETED', attempts: 1, workerId });
  });
}

/** A call below `/openai/v1/`: a GET without a body, as JSON unless it is a form. */
async function openAi(path: string, body?: object, signal?: AbortSignal): Promise<Response> {
  if (!service) throw new Error('The service has not been started.');
  const isForm = body instanceof FormData;
  return fetch(`${service.JobApiUrl}/${LLAMA}/openai/v1/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      Authorization: `Bearer ${service.ApiKey}`,
      ...(body && !isForm && { 'Content-Type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
    signal,
  });
}

const bodyFor = (max_tokens: number, more: object = {}) => chatOf(max_tokens, more).openai_input;

function describeRoute(): void {
  it('answers GET with the models of the server', async () => {
    const response = await openAi('models');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ object: 'list', data: [{ object: 'model' }] });
  });

  it('answers a chat with the response of the server, which is also the output of its job', async () => {
    const response = await openAi('chat/completions', bodyFor(8));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    const answer = (await response.json()) as object;
    expect(answer).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 8 } });
    expect(await place.status(String(response.headers.get('x-job-id')))).toMatchObject({ output: [answer] });
  });

  it('streams the text of the server, with the last event', async () => {
    const response = await openAi('chat/completions', bodyFor(32, { stream: true }));
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/event-stream/),
    ]);
    const text = await response.text();
    expect(text).toMatch(/^data: \{.*\n\ndata: \[DONE\]\n\n$/s);
    const chunks = await place.chunks(String(response.headers.get('x-job-id')));
    expect(text).toBe(chunks.join(''));
  });

  it.each([
    ['no messages', 'chat/completions', {}, 400, "'messages' is required"],
    ['no such path', 'nothing', {}, 404, 'File Not Found'],
    ['a form with a file', 'audio/transcriptions', audio(), 501, 'The current model does not support audio input.'],
  ])('answers with the status and body of a server that refuses: %s', async (_, path, body, refused, message) => {
    const response = await openAi(path, body);
    expect(response.status).toBe(refused);
    expect(await response.json()).toMatchObject({ error: { code: refused, message } });
  });

  it('stops the server when the client closes its connection', async () => {
    const leaving = new AbortController();
    const response = await openAi('chat/completions', bodyFor(100_000_000, { stream: true }), leaving.signal);
    await response.body?.getReader().read();
    leaving.abort();
    // The server has room for one call.
    const next = await openAi('chat/completions', bodyFor(4));
    expect(await next.json()).toMatchObject({ usage: { completion_tokens: 4 } });
    expect(await place.status(String(response.headers.get('x-job-id')))).toMatchObject({ status: 'CANCELLED' });
  });
}

if (withPython) {
  describe('llama.cpp as a worker', describeServer);
  describe('the route of OpenAI clients', describeRoute);
}
