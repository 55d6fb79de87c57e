import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import type { Jobs } from '../../core/jobs/store.ts';
import type { Chunks } from '../../core/streams/store.ts';
import { runUntilShutdown } from '../../worker/agent/shutdown.ts';
import { eventually } from '../acceptance/local-service.ts';
import { log } from './agents.ts';
import { emulated, ports } from './emulated-agents.ts';
import { type Answer, idOf, useHttpWorkers, workers } from './http-server.ts';

useHttpWorkers();

const never = new Promise<never>(() => undefined);

/** Answers with a body of this type. */
const answers =
  (type: string | undefined, body: string | Buffer, status = 200): Answer =>
  ({ response }) =>
    response.writeHead(status, type === undefined ? {} : { 'Content-Type': type }).end(body);

/** Does not answer the first POST request. */
const silent: Answer = () => undefined;

describe('a job for an HTTP server', () => {
  it('posts the input unchanged, and stores the response as the output, byte for byte', async () => {
    const input = '{"big":12345678901234567890,"zero":-0,"text":"\\u00e9", "a":[ 2 ]}';
    const seen: object[] = [];
    const worker = await workers.open('ht-a', ({ request: { method, url, headers }, response, body }) => {
      seen.push({ method, url, body, headers });
      response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' }).end(body);
    });
    const id = await worker.submit(`{"input":${input},"s3Config":{"accessId":"é"}}`);
    expect((await worker.becomes(id, 'COMPLETED')).text).toContain(`"output":${input}`);
    const [post, ...others] = seen as [{ headers: Record<string, string> }];
    expect(others).toEqual([]);
    expect(post).toMatchObject({
      method: 'POST',
      url: '/work?a=1',
      body: input,
      headers: {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(input)),
        'x-job-id': id,
        'x-job-attempt': '1',
        connection: 'close',
      },
    });
    const s3Config = Buffer.from(String(post.headers['x-job-s3-config']), 'base64').toString();
    expect(s3Config).toBe('{"accessId":"é"}');
  });

  it.each<[string, string | undefined, string | Buffer, number, object]>([
    ['problem JSON', 'application/problem+json', '[-0]\n', 200, { status: 'COMPLETED', output: [-0] }],
    ['text', 'Text/Plain', 'é "x"', 200, { status: 'COMPLETED', output: 'é "x"' }],
    ['Latin-1 text', 'text/html; charset="ISO-8859-1"', Buffer.from([0xe9]), 200, { status: 'COMPLETED', output: 'é' }],
    ['JSON with status 201', 'application/json', '1', 201, { status: 'COMPLETED', output: 1 }],
  ])('has the response of the server as its output if the response is %s', async (name, type, body, status, ended) => {
    const worker = await workers.open(`ht-b-${idOf(name)}`, answers(type, body, status));
    const id = await worker.submit();
    expect(await worker.becomes(id, 'COMPLETED')).toMatchObject(ended);
  });

  it.each<[string, string | undefined, number]>([
    ['has the type of JSON', 'application/json', 200],
    ['has no content type', undefined, 200],
    ['has status 204', undefined, 204],
  ])('has no output if the response is empty and %s', async (name, type, status) => {
    const worker = await workers.open(`ht-c-${idOf(name)}`, answers(type, '', status));
    expect(await worker.becomes(await worker.submit(), 'COMPLETED')).toMatchObject({ output: null });
  });

  it.each<[string, string | undefined, string | Buffer, number, string]>([
    ['is not JSON', 'application/json', '{"a":1} x', 200, 'The server sent an answer that is not JSON: Unexpected'],
    [
      'is not UTF-8',
      'application/json',
      Buffer.from([0x22, 0xff, 0x22]),
      200,
      'The server sent bytes that are not utf-8.',
    ],
    [
      'has an unknown encoding',
      'text/plain; charset=klingon',
      'x',
      200,
      'The server sent text in an unknown encoding, klingon.',
    ],
    [
      'is an image',
      'image/png',
      'x',
      200,
      'The server answered with image/png: an output must be JSON, text, lines of JSON',
    ],
    ['has no content type', undefined, 'x', 200, 'The server answered with no content type: an output must be'],
    [
      'contains a line that is not JSON',
      'application/x-ndjson',
      '1\n\n{\n',
      200,
      'The server sent a line, number 3, that is not JSON: ',
    ],
    ['has status 302', 'text/plain', 'there', 302, 'The server answered 302 Found: there'],
    ['has status 422', 'application/json', '{"detail":"no such model"}', 422, 'Entity: {"detail":"no such model"}'],
    ['has status 503', undefined, '', 503, 'The server answered 503 Service Unavailable'],
  ])('fails with a sentence if the response %s', async (name, type, body, status, error) => {
    const worker = await workers.open(`ht-d-${idOf(name)}`, answers(type, body, status));
    const record = await worker.becomes(await worker.submit(), 'FAILED');
    expect(record).toMatchObject({ code: 'WORKER_ERROR', error: expect.stringContaining(error) });
  });

  it('fails if the response is not HTTP', async () => {
    const worker = await workers.open('ht-z', ({ response }) => response.socket?.end('hello\r\n'));
    const { error } = await worker.becomes(await worker.submit(), 'FAILED');
    expect(error).toMatch(/^The server sent a response that is not valid HTTP\/1.1: /);
  });

  it('fails with the beginning of an error response of any length', async () => {
    const worker = await workers.open('ht-e', ({ response }) => {
      response.writeHead(500);
      // The body is endless.
      const more = () => void (response.write('x'.repeat(10_000)) && setImmediate(more));
      more();
    });
    const { error } = await worker.becomes(await worker.submit(), 'FAILED');
    expect(error).toBe(`The server answered 500 Internal Server Error: ${'x'.repeat(8 * 1024)}`);
  });

  it('fails with the size of the response if it is too large', async () => {
    const size = 21 * 1024 * 1024;
    const worker = await workers.open('ht-f', answers('application/json', `"${'x'.repeat(size - 2)}"`));
    const record = await worker.becomes(await worker.submit(), 'FAILED');
    expect(record).toMatchObject({ code: 'OUTPUT_TOO_LARGE', error: expect.stringContaining(`has ${size} bytes`) });
  });

  it('runs at the same time as other jobs if the server may have several', async () => {
    const worker = await workers.open('ht-g', silent, { concurrency: 2 });
    await Promise.all([1, 2, 3].map(() => worker.submit()));
    await eventually('two jobs are posted', () => worker.server.posts === 2 || undefined, { every: 5 });
    await worker.agent.watch();
    expect(worker.server.posts).toBe(2);
  });

  it('is reported as soon as AWS is available again, and does not run twice', async () => {
    let failures = 2;
    const report: Jobs['report'] = async (name, key, facts) => {
      if (name === 'complete' && failures-- > 0) throw new Error('The table is throttled.');
      return ports.jobs.report(name, key, facts);
    };
    const worker = await workers.open('ht-h', answers('application/json', '1'), {
      ports: portsWith(ports, { jobs: { ...ports.jobs, report } }),
    });
    await worker.becomes(await worker.submit(), 'COMPLETED');
    expect([worker.server.posts, failures]).toEqual([1, -1]);
  });
});

describe('a streamed response of an HTTP server', () => {
  it('becomes a chunk for every line, and the output of the job is that of a generator', async () => {
    const body = Buffer.from('{"n":-0, "s":"é\u2028"}\r\n\n12345678901234567890\n"last"');
    const worker = await workers.open('ht-i', async ({ response }) => {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
      // The pieces are split anywhere, including within a character.
      for (const byte of body) await new Promise<void>((sent) => response.write(Buffer.of(byte), () => sent()));
      response.end();
    });
    const id = await worker.submit();
    expect(await worker.becomes(id, 'COMPLETED')).toMatchObject({ output: [] });
    expect(await worker.streamed(id)).toEqual([{ n: -0, s: 'é\u2028' }, Number('12345678901234567890'), 'last']);
  });

  it('becomes a chunk for the data of every event, up to [DONE]', async () => {
    const events = ': hello\n\nevent: token\ndata: {"n":1}\n\ndata: two\ndata: lines\n\ndata: 3\n\ndata: [DONE]\n\n';
    const worker = await workers.open('ht-j', ({ response }) => {
      // The stream does not end by itself.
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(`${events}data: late\n\n`);
    });
    const id = await worker.submit();
    expect(await worker.becomes(id, 'COMPLETED')).toMatchObject({ output: [] });
    expect(await worker.streamed(id)).toEqual([{ n: 1 }, 'two\nlines', 3]);
  });

  it('may end without the empty line after its last event', async () => {
    const worker = await workers.open('ht-k', answers('text/event-stream', 'data: 1\n\ndata: 2'));
    const id = await worker.submit();
    await worker.becomes(id, 'COMPLETED');
    expect(await worker.streamed(id)).toEqual([1, 2]);
  });

  it.each([
    ['lines', 'application/jsonl', '"'],
    ['events', 'text/event-stream', 'data: '],
  ])('fails the job if a chunk in a stream of %s is endless', async (name, type, begin) => {
    const worker = await workers.open(`ht-l-${name}`, answers(type, begin + 'x'.repeat(20 * 1024 * 1024 + 70_000)));
    const { error } = await worker.becomes(await worker.submit(), 'FAILED');
    expect(error).toMatch(/^The server sent (a line|an event) of more than 20971520 characters\.$/);
  });

  it('is stored while it arrives, and is read no faster than it can be stored', async () => {
    const { promise: stored, resolve: store } = Promise.withResolvers<void>();
    let writes = 0;
    const chunks: Chunks = {
      ...ports.chunks,
      async write(...args) {
        writes += 1;
        if (writes > 1) await stored;
        return ports.chunks.write(...args);
      },
    };
    let sent = 0;
    let last: Promise<void> = never;
    const line = `"${'x'.repeat(1_000_000)}"\n`;
    const worker = await workers.open(
      'ht-m',
      ({ response }) => {
        response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
        const send = async () => {
          for (; sent < 30; sent += 1) await new Promise<void>((written) => response.write(line, () => written()));
          response.end();
        };
        last = send();
      },
      { ports: portsWith(ports, { chunks }) },
    );
    const id = await worker.submit();
    await eventually('a chunk is stored', async () => (await worker.streamed(id)).length || undefined, { every: 10 });
    await eventually('the next chunk is being stored', () => writes === 2 || undefined, { every: 5 });
    for (let calls = 0; calls < 20; calls += 1) await worker.read(id);
    // The sockets of both sides buffer more than one chunk, and far less than all chunks.
    expect(sent).toBeLessThan(20);
    expect(await worker.read(id)).toMatchObject({ status: 'IN_PROGRESS' });
    store();
    await last;
    await worker.becomes(id, 'COMPLETED');
    expect(await worker.streamed(id)).toHaveLength(30);
  });

  it('fails the job if it is interrupted while the server is still up', async () => {
    const worker = await workers.open('ht-n', ({ response }) => {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
      response.write('1\n', () => response.destroy());
    });
    const id = await worker.submit();
    const { error } = await worker.becomes(id, 'FAILED');
    expect(error).toMatch(/^The server interrupted its response: /);
    expect(await worker.streamed(id)).toEqual([1]);
  });
});

describe('a job for an HTTP server that must stop', () => {
  it('has its request aborted when it is cancelled, and the next job is posted', async () => {
    const { promise: gone, resolve: isGone } = Promise.withResolvers<void>();
    const worker = await workers.open('ht-v', ({ response }, n) => {
      if (n > 1) response.writeHead(200, { 'Content-Type': 'application/json' }).end('1');
      else response.once('close', isGone);
    });
    const id = await worker.submit();
    await eventually('the job is posted', () => worker.server.posts === 1 || undefined, { every: 5 });
    const next = await worker.submit();
    await worker.cancel(id);
    await worker.agent.watch();
    await gone;
    await worker.becomes(next, 'COMPLETED');
    expect(await worker.read(id)).toMatchObject({ status: 'CANCELLED' });
  });

  it('has its request aborted when it has timed out', async () => {
    const { promise: gone, resolve: isGone } = Promise.withResolvers<void>();
    const worker = await workers.open('ht-w', ({ response }) => response.once('close', isGone));
    const id = await worker.submit('{"input":{},"policy":{"executionTimeout":6000}}');
    await eventually('the job is posted', () => worker.server.posts === 1 || undefined, { every: 5 });
    emulated.clock.advance(9_000);
    await worker.agent.watch();
    await gone;
    expect(await worker.read(id)).toMatchObject({ status: 'TIMED_OUT' });
  });
});

describe('an agent of an HTTP server that shuts down', () => {
  it('lets requests finish within the grace period, and takes no more jobs', async () => {
    const { promise: asked, resolve: answer } = Promise.withResolvers<void>();
    const worker = await workers.open('ht-x', async ({ response }) => {
      await asked;
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('1');
    });
    const id = await worker.submit();
    await eventually('the job is posted', () => worker.server.posts === 1 || undefined, { every: 5 });
    const other = await worker.submit();
    const exitCode = runUntilShutdown(worker.agent, {
      log,
      asked: Promise.resolve(),
      lost: worker.slots.lost,
    });
    answer();
    expect(await exitCode).toBe(0);
    expect(await worker.read(id)).toMatchObject({ status: 'COMPLETED' });
    expect(await worker.read(other)).toMatchObject({ status: 'IN_QUEUE' });
  });

  it('aborts requests that do not finish within the grace period, and requeues their jobs', async () => {
    const { promise: gone, resolve: isGone } = Promise.withResolvers<void>();
    const worker = await workers.open('ht-y', ({ response }) => response.once('close', isGone));
    const id = await worker.submit();
    await eventually('the job is posted', () => worker.server.posts === 1 || undefined, { every: 5 });
    await worker.agent.drain(10);
    await gone;
    expect(await worker.read(id)).toMatchObject({ status: 'IN_QUEUE' });
  });
});
