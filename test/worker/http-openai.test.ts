/** Jobs that call an OpenAI-compatible server: the request to the server, and the stored response. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../acceptance/local-service.ts';
import { type HttpWorker, idOf, useHttpWorkers, workers } from './http-server.ts';

useHttpWorkers();

const CHAT = '/v1/chat/completions';
const chat = (body = '{"stream":true}') => `{"input":{"openai_route":"${CHAT}","openai_input":${body}}}`;
const everyByte = Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte));

interface Call {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Starts a worker whose server records its calls. */
async function openWithCalls(endpoint: string, answer: (response: ServerResponse, worker: HttpWorker) => unknown) {
  const calls: Call[] = [];
  const worker = await workers.open(endpoint, ({ request: { method, url, headers }, response, bytes }) => {
    calls.push({ method, url, headers, bytes });
    return answer(response, worker);
  });
  return { worker, calls };
}

const json =
  (text: string, status = 200) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(text);

/** Sends pieces of an event stream. Each piece is sent when clients can read all earlier characters. */
async function sendEvents(worker: HttpWorker, response: ServerResponse, pieces: readonly (string | Buffer)[]) {
  const id = String(response.req.headers['x-job-id']);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let sent = '';
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
  for (const piece of pieces) {
    response.write(piece);
    sent += decoder.decode(Buffer.from(piece), { stream: true });
    const isRead = async () => (await worker.streamed(id)).join('') === sent || undefined;
    const isLate = () => void response.destroy();
    await eventually(`${JSON.stringify(sent)} is read`, isRead, { every: 5 }).catch(isLate);
  }
}

const ended = async (worker: HttpWorker, status: string, body: string) => {
  const id = await worker.submit(body);
  return { id, record: await worker.becomes(id, status) };
};

describe("a job that is a call to OpenAI's interface", () => {
  it('posts the raw body to the route of the call, and stores the response unchanged', async () => {
    const text = '{"big":12345678901234567890, "zero":-0,"text":"\\u00e9é", "a":[ 2 ]}';
    const { worker, calls } = await openWithCalls('oa-a', json(`${text}\n`));
    const { id, record } = await ended(worker, 'COMPLETED', chat(text));
    expect(record.text).toContain(`"output":[${text}]`);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      method: 'POST',
      url: CHAT,
      headers: {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(text)),
        'x-job-id': id,
        'x-job-attempt': '1',
      },
    });
    expect(calls[0]?.bytes.toString()).toBe(text);
  });

  it('sends a call without a body as a GET with its query', async () => {
    const { worker, calls } = await openWithCalls('oa-b', json('{"object":"list","data":[]}'));
    const input = '{"openai_route":"/v1/models","openai_query":"after=a%20b&limit=2"}';
    const { record } = await ended(worker, 'COMPLETED', `{"input":${input}}`);
    expect(record.output).toEqual([{ object: 'list', data: [] }]);
    expect(calls).toMatchObject([{ method: 'GET', url: '/v1/models?after=a%20b&limit=2' }]);
    expect(calls[0]?.headers).not.toHaveProperty('content-type');
    expect(calls[0]?.bytes).toHaveLength(0);
  });

  it.each([
    ['DELETE', undefined],
    ['PATCH', '{"name":"new"}'],
    ['PUT', '{}'],
  ])('is a %s if its input says so', async (method, body) => {
    const { worker, calls } = await openWithCalls(`oa-${idOf(method)}`, json('{"deleted":true}'));
    const sent = body === undefined ? '' : `,"openai_input":${body}`;
    const input = `{"openai_route":"/v1/files/file-1","openai_method":"${method}"${sent}}`;
    const { record } = await ended(worker, 'COMPLETED', `{"input":${input}}`);
    expect(record.output).toEqual([{ deleted: true }]);
    expect(calls).toMatchObject([{ method, url: '/v1/files/file-1' }]);
    expect(calls[0]?.bytes.toString()).toBe(body ?? '');
  });

  describe('that its server redirects', () => {
    const redirect = (status: number, location: (port: string) => string) => (response: ServerResponse) => {
      const { url = '', headers } = response.req;
      if (url.includes('redirected') || url.endsWith('/?a=1')) return json('{"object":"list"}')(response);
      return response.writeHead(status, { Location: location(String(headers.host)) }).end('elsewhere');
    };

    it.each([
      ['307', 307, () => '/v1/files/?a=1'],
      ['308', 308, () => 'files/?a=1'],
      ['absolute 307', 307, (host: string) => `http://${host}/v1/files/?a=1`],
    ])('is sent again after a %s to the path with a slash at its end', async (name, status, location) => {
      const { worker, calls } = await openWithCalls(`oa-slash-${idOf(name)}`, redirect(status, location));
      const input = '{"openai_route":"/v1/files","openai_query":"a=1","openai_input":{"n":1}}';
      const { record } = await ended(worker, 'COMPLETED', `{"input":${input}}`);
      expect(record.output).toEqual([{ object: 'list' }]);
      expect(calls.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /v1/files?a=1', 'POST /v1/files/?a=1']);
      expect(calls.map(({ bytes }) => bytes.toString())).toEqual(['{"n":1}', '{"n":1}']);
    });

    it.each([
      ['301 to the path with a slash', 301, () => '/v1/files/?a=1'],
      ['307 to another path', 307, () => '/v1/redirected?a=1'],
      ['307 to another query', 307, () => '/v1/files/?redirected'],
      ['307 to another host', 307, (host: string) => `http://localhost:${host.split(':')[1]}/v1/files/?a=1`],
      ['307 to its own address', 307, () => '/v1/files?a=1'],
      ['307 without an address', 307, () => ''],
    ])('fails after a %s', async (name, status, location) => {
      const { worker, calls } = await openWithCalls(`oa-${idOf(name)}`, redirect(status, location));
      const input = '{"openai_route":"/v1/files","openai_query":"a=1","openai_input":{}}';
      const { record } = await ended(worker, 'FAILED', `{"input":${input}}`);
      expect(record.error).toMatch(new RegExp(`^The server answered ${status}`));
      expect(calls).toHaveLength(1);
    });
  });

  it('passes a form with a file to the server byte for byte', async () => {
    const { worker, calls } = await openWithCalls('oa-c', json('{"text":"hello"}'));
    const contentType = 'multipart/form-data; boundary="b 1"';
    const head = '--b 1\r\nContent-Disposition: form-data; name="file"; filename="é.wav"\r\n\r\n';
    const form = Buffer.concat([Buffer.from(head), everyByte, Buffer.from('\r\n--b 1--\r\n')]);
    const input = {
      openai_route: '/v1/audio/transcriptions',
      openai_content_type: contentType,
      openai_base64: form.toString('base64'),
    };
    const { record } = await ended(worker, 'COMPLETED', JSON.stringify({ input }));
    expect(record.output).toEqual([{ text: 'hello' }]);
    expect(calls).toMatchObject([{ method: 'POST', headers: { 'content-type': contentType } }]);
    expect(calls[0]?.bytes.equals(form)).toBe(true);
  });

  it.each<[string, string | undefined, Buffer]>([
    ['is audio', 'audio/mpeg', everyByte],
    ['is not UTF-8', 'text/plain; charset=ISO-8859-1', Buffer.from([0xe9])],
    ['is empty', 'application/json', Buffer.of()],
    ['has no type', undefined, everyByte],
  ])('stores the bytes and the type of a response that %s', async (name, type, bytes) => {
    const { worker } = await openWithCalls(`oa-d-${idOf(name)}`, (response) =>
      response.writeHead(200, type === undefined ? {} : { 'Content-Type': type }).end(bytes),
    );
    const { id, record } = await ended(worker, 'COMPLETED', chat('{"input":"Hello"}'));
    expect(record.output).toEqual([
      {
        openai_job: id,
        openai_content_type: type ?? 'application/octet-stream',
        openai_base64: bytes.toString('base64'),
      },
    ]);
  });

  it('fails without a request to the server if its route is outside the interface', async () => {
    const { worker, calls } = await openWithCalls('oa-e', json('1'));
    const { record } = await ended(worker, 'FAILED', '{"input":{"openai_route":"/metrics","openai_input":{}}}');
    expect(record.error).toMatch(/^`openai_route` is "\/metrics"; it must be a path that begins with `\/v1\/`/);
    expect(record.output).toMatchObject({ openai_status: 400, openai_content_type: 'application/json' });
    const { openai_base64: base64 } = record.output as { openai_base64: string };
    expect(JSON.parse(Buffer.from(base64, 'base64').toString())).toEqual({
      error: { message: record.error, type: 'invalid_request_error', param: null, code: null },
    });
    expect(calls).toEqual([]);
  });
});

describe('an error of an OpenAI server', () => {
  it.each<[number, string, string]>([
    [400, 'application/json', '{"error":{"message":"messages is required","type":"invalid_request_error"}}'],
    [404, 'application/json; charset=utf-8', '{"error":{"message":"no such model","code":404}}'],
    [500, 'text/plain', 'Internal Server Error'],
  ])(
    "fails the job with the error's message if the status is %d, and stores status, type and body separately",
    async (status, type, body) => {
      const { worker } = await openWithCalls(`oa-f-${status}`, (response) =>
        response.writeHead(status, { 'Content-Type': type }).end(body),
      );
      const { id, record } = await ended(worker, 'FAILED', chat('{}'));
      expect(record).toMatchObject({
        code: 'WORKER_ERROR',
        error: expect.stringMatching(`^The server answered ${status}`),
      });
      expect(record.error).toContain(`: ${body}`);
      expect(record.output).toEqual({
        openai_job: id,
        openai_status: status,
        openai_content_type: type,
        openai_base64: Buffer.from(body).toString('base64'),
      });
    },
  );

  it('is stored with its `Retry-After`', async () => {
    const { worker } = await openWithCalls('oa-later', (response) =>
      response.writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '7' }).end('{}'),
    );
    const { record } = await ended(worker, 'FAILED', chat('{}'));
    expect(record.output).toMatchObject({ openai_status: 429, openai_retry_after: '7' });
  });

  it('is stored with up to 64 KB of its body, which may be endless', async () => {
    const { worker } = await openWithCalls('oa-g', (response) => {
      response.writeHead(503);
      const more = () => void (response.write('x'.repeat(10_000)) && setImmediate(more));
      more();
    });
    const { record } = await ended(worker, 'FAILED', chat('{}'));
    const { openai_base64: base64 } = record.output as { openai_base64: string };
    expect(Buffer.from(base64, 'base64').toString()).toBe('x'.repeat(64 * 1024));
    expect(record.error).toBe(`The server answered 503 Service Unavailable: ${'x'.repeat(8 * 1024)}`);
  });
});

describe('a stream of an OpenAI server', () => {
  it('is stored as unchanged text, however it is split, including comments and its last event', async () => {
    const text = '\ufeff: ping\n\ndata: {"a":"é😀"}\r\n\r\nevent: x\ndata: [1,\n\ndata: [DONE]\n\n';
    const bytes = Buffer.from(text);
    // Splits the text within a character, within a surrogate pair of UTF-16, between a CR and its LF, and in the
    // last event.
    const cuts = [bytes.indexOf('é') + 1, bytes.indexOf('😀') + 2, bytes.indexOf('\r') + 1, bytes.indexOf('DONE') + 2];
    const starts = [0, ...cuts];
    const { worker } = await openWithCalls('oa-h', async (response, itsWorker) => {
      await sendEvents(
        itsWorker,
        response,
        starts.map((start, n) => bytes.subarray(start, cuts[n])),
      );
      response.end();
    });
    const { id, record } = await ended(worker, 'COMPLETED', chat());
    expect(record.output).toEqual([]);
    const chunks = await worker.streamed(id);
    expect(chunks).toHaveLength(starts.length);
    expect(chunks.every((chunk) => typeof chunk === 'string')).toBe(true);
    expect(chunks.join('')).toBe(text);
  });

  it('ends after its last event, even if the server does not close the connection', async () => {
    const { worker } = await openWithCalls('oa-i', (response, itsWorker) =>
      sendEvents(itsWorker, response, ['data: {"c":"\\ndata: [DONE]\\n\\n"}\n\ndata: [DO', 'NE]\n', '\n']),
    );
    const { id } = await ended(worker, 'COMPLETED', chat());
    expect((await worker.streamed(id)).join('')).toBe('data: {"c":"\\ndata: [DONE]\\n\\n"}\n\ndata: [DONE]\n\n');
  });

  it('may end without the [DONE] event', async () => {
    const { worker } = await openWithCalls('oa-j', async (response, itsWorker) => {
      await sendEvents(itsWorker, response, ['data: 1\n']);
      response.end();
    });
    const { id } = await ended(worker, 'COMPLETED', chat());
    expect(await worker.streamed(id)).toEqual(['data: 1\n']);
  });

  it('fails the job if it is interrupted, and leaves the chunks that have arrived', async () => {
    const { worker } = await openWithCalls('oa-k', async (response, itsWorker) => {
      await sendEvents(itsWorker, response, ['data: 1\n\n']);
      response.destroy();
    });
    const { id, record } = await ended(worker, 'FAILED', chat());
    expect(record.error).toMatch(/^The server interrupted its response: /);
    expect(await worker.streamed(id)).toEqual(['data: 1\n\n']);
  });

  it('fails the job if it is not UTF-8', async () => {
    const { worker } = await openWithCalls('oa-l', async (response, itsWorker) => {
      await sendEvents(itsWorker, response, ['data: ', Buffer.of(0xc3)]);
      response.end();
    });
    const { record } = await ended(worker, 'FAILED', chat());
    expect(record.error).toBe('The server sent bytes that are not utf-8.');
  });

  it('becomes one chunk for events that arrive together', async () => {
    const text = 'data: 1\n\ndata: 2\n\ndata: [DONE]\n\n';
    const { worker } = await openWithCalls('oa-m', (response, itsWorker) => sendEvents(itsWorker, response, [text]));
    const { id } = await ended(worker, 'COMPLETED', chat());
    expect(await worker.streamed(id)).toEqual([text]);
  });

  it('is closed when the job is cancelled', async () => {
    const { promise: gone, resolve: isGone } = Promise.withResolvers<void>();
    const { worker } = await openWithCalls('oa-n', async (response, itsWorker) => {
      response.once('close', isGone);
      await sendEvents(itsWorker, response, ['data: 1\n\n']);
    });
    const id = await worker.submit(chat());
    await eventually('it streams', async () => (await worker.streamed(id)).length || undefined, { every: 10 });
    await worker.cancel(id);
    await worker.agent.watch();
    await gone;
    expect(await worker.read(id)).toMatchObject({ status: 'CANCELLED' });
  });
});
