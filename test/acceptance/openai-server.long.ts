/**
 * Tests an unmodified OpenAI-compatible server as a worker: llama.cpp behind the agent, with jobs that represent
 * its calls, and with calls of OpenAI's clients.
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

/**
 * Runs a job that represents a call.
 * @param more additional members of its input
 * @returns the record from `/runsync`
 */
async function runsync(openai_route: string, more: object = {}): Promise<Answer['json']> {
  if (!service) throw new Error('The service is not running.');
  const url = `${service.JobApiUrl}/${LLAMA}/runsync?wait=100000`;
  return (await call(service, 'POST', url, { body: JSON.stringify({ input: { openai_route, ...more } }) })).json;
}

/** Returns a chat request for this number of tokens. The model does not stop by itself. */
const chatOf = (max_tokens: number, more: object = {}) => ({
  openai_input: { messages, max_tokens, ignore_eos: true, ...more },
});

/** Splits concatenated chunks of server-sent events into events. */
const eventsOf = (chunks: readonly unknown[]) => chunks.join('').split('\n\n').filter(Boolean);

/** Form of a transcription request. The server parses it before it checks its model. */
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

it('runs llama.cpp if Python is installed', () => {
  if (!withPython) console.log('llama.cpp is not tested: Python with virtual environments is missing.');
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

  it("streams a chat as the server's own events, including the last one", async () => {
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
  ])(
    "fails a call that the server refuses, with the server's status and body: %s",
    async (_, route, more, refused, message) => {
      const { status, error, output } = await runsync(route, more);
      const sentence = expect.stringMatching(`^The server answered ${refused} .+: {"error":`);
      expect({ status, error }).toMatchObject({ status: 'FAILED', error: sentence });
      const refusal = output as Refusal;
      expect(refusal.openai_status).toBe(refused);
      expect(refusal.openai_content_type).toMatch(/^application\/json/);
      expect(bodyOf(refusal)).toMatchObject({ error: { code: refused, message } });
    },
  );

  it('stops computing when its job is cancelled, and takes the next job', async () => {
    const id = await place.submit({ openai_route: CHAT, ...chatOf(100_000_000, { stream: true }) });
    await eventually('it streams', async () => (await place.chunks(id)).length > 3 || undefined);
    await place.cancel(id);
    // The server runs one job at a time, so this job would never start if the first continued.
    const next = await place.outcome({ openai_route: CHAT, ...chatOf(4) });
    const { status, workerId } = await place.status(id);
    expect(status).toBe('CANCELLED');
    expect(next).toMatchObject({ status: 'COMPLETED', attempts: 1, workerId });
  });
}

/** Calls a path below `/openai/v1/`: with GET if there is no body, otherwise with a JSON or form body. */
async function openAi(path: string, body?: object, signal?: AbortSignal): Promise<Response> {
  if (!service) throw new Error('The service is not running.');
  const isForm = body instanceof FormData;
  return fetch(`${service.JobApiUrl}/${LLAMA}/openai/v1/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      Authorization: `Bearer ${service.ApiKey}`,
      ...(body && !isForm && { 'Content-Type': 'application/json' }),
    },
    body: isForm ? body : body ? JSON.stringify(body) : null,
    signal: signal ?? null,
  });
}

const bodyFor = (max_tokens: number, more: object = {}) => chatOf(max_tokens, more).openai_input;

function describeRoute(): void {
  it("answers GET with the server's models", async () => {
    const response = await openAi('models');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ object: 'list', data: [{ object: 'model' }] });
  });

  it("answers a chat with the server's response, which is also the output of its job", async () => {
    const response = await openAi('chat/completions', bodyFor(8));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    const answer = (await response.json()) as object;
    expect(answer).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 8 } });
    expect(await place.status(String(response.headers.get('x-job-id')))).toMatchObject({ output: [answer] });
  });

  it("streams the server's own events, including the last one", async () => {
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
  ])(
    'returns the status and body with which the server refuses a call: %s',
    async (_, path, body, refused, message) => {
      const response = await openAi(path, body);
      expect(response.status).toBe(refused);
      expect(await response.json()).toMatchObject({ error: { code: refused, message } });
    },
  );

  it("stops the server's work when the client closes its connection", async () => {
    const leaving = new AbortController();
    const response = await openAi('chat/completions', bodyFor(100_000_000, { stream: true }), leaving.signal);
    await response.body?.getReader().read();
    leaving.abort();
    // The server can handle one call at a time.
    const next = await openAi('chat/completions', bodyFor(4));
    expect(await next.json()).toMatchObject({ usage: { completion_tokens: 4 } });
    expect(await place.status(String(response.headers.get('x-job-id')))).toMatchObject({ status: 'CANCELLED' });
  });
}

if (withPython) {
  describe('llama.cpp as a worker', describeServer);
  describe('the route of OpenAI clients', describeRoute);
}
