/** Tests large outputs in memory: calls that are refused or wait for memory, and clients that do not read. */
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type Ports, portsWith } from '../../aws/ports.ts';
import { systemClock } from '../../core/clock.ts';
import { gatewayHeaders } from '../../core/http/ingress.ts';
import { type JobRequest, RequestBody } from '../../core/http/request.ts';
import type { ResponseState } from '../../core/http/respond.ts';
import type { Job } from '../../core/jobs/job.ts';
import { payloadLimits } from '../../core/limits.ts';
import { TooManyRequests } from '../../core/requests/errors.ts';
import { streamedOutput } from '../../core/streams/output.ts';
import { finish } from '../../core/workers/report.ts';
import { withinMemory } from '../../ingress/answers.ts';
import { createMemory, MemoryFull } from '../../ingress/memory.ts';
import { send } from '../../ingress/send.ts';
import { memoryLimits } from '../../ingress/transfer-limits.ts';
import { eventually } from '../acceptance/local-service.ts';
import { takeJob } from '../jobs/scripted-job.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { rawConnection, startIngress } from './ingress.ts';

const fakeTime = () => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });

afterEach(() => {
  jest.useRealTimers();
});

describe('a call that reads an object', () => {
  /** Begins a call of endpoint `a` that reads an object of 40 bytes. The endpoint can hold 50 bytes and holds 20. */
  function begin(state: ResponseState) {
    const loaded: string[] = [];
    const objects = {
      write: async () => undefined,
      read: async (key: string, reserve?: (bytes: number) => void) => {
        reserve?.(40);
        loaded.push(key);
        return Buffer.from(key);
      },
    };
    const memory = createMemory(100);
    const other = memory.open('a');
    other.grow(20);
    const leaves = new AbortController();
    const request: JobRequest = {
      endpoint: 'a',
      job: 'j1',
      owner: 'team',
      query: {},
      body: new RequestBody(Buffer.alloc(0)),
      gone: leaves.signal,
    };
    const ports = withinMemory({ objects } as unknown as Ports, memory, request, state);
    const outcome = ports.objects.read('output').then(String, (error: unknown) => error);
    return { loaded, memory, other, leaves, outcome };
  }

  it('is refused with 429 before it loads the object, if it can still be refused', async () => {
    const { outcome, loaded, memory } = begin({ isRefusable: true });
    expect(await outcome).toBeInstanceOf(TooManyRequests);
    expect([loaded, memory.held]).toEqual([[], 20]);
  });

  it('waits for memory if it can no longer be refused, and holds it until its client has the response', async () => {
    const { outcome, other, loaded, memory, leaves } = begin({ jobId: 'j1' });
    await turn();
    expect(loaded).toEqual([]);
    other.release();
    expect(await outcome).toBe('output');
    expect(memory.held).toBe(40);
    leaves.abort();
    expect(memory.held).toBe(0);
  });

  it('fails after 20 s without memory, with INTERNAL if it has submitted a job', async () => {
    fakeTime();
    const [submitted, waited] = [begin({ jobId: 'j1' }), begin({ isRefusable: false })];
    await jest.advanceTimersByTimeAsync(memoryLimits.patience);
    expect(await waited.outcome).toBeInstanceOf(MemoryFull);
    expect(await submitted.outcome).not.toBeInstanceOf(MemoryFull);
    expect(await submitted.outcome).toMatchObject({ message: 'There was no memory for the output of the job.' });
    expect([...submitted.loaded, ...waited.loaded]).toEqual([]);
  });

  it('ends when its client disconnects during the wait', async () => {
    const { outcome, leaves, memory } = begin({});
    await turn();
    leaves.abort();
    expect(await outcome).toBeInstanceOf(MemoryFull);
    expect(memory.held).toBe(20);
  });
});

describe('a call that returns chunks as an output', () => {
  it('waits for their memory before it loads them, and holds it until its client has the response', async () => {
    const loaded: string[] = [];
    const read = async (key: string, reserve?: (bytes: number) => void) => {
      reserve?.(3);
      loaded.push(key);
      return Buffer.from('"a"');
    };
    async function* list() {
      for (const number of [0, 1]) yield { number, chunk: { output: { object: `2/a/j1/chunk#1#${number}` } } };
    }
    const memory = createMemory(6 * payloadLimits.chunk);
    const other = memory.open('a');
    other.grow(2 * payloadLimits.chunk);
    const leaves = new AbortController();
    const request = { endpoint: 'a', gone: leaves.signal } as JobRequest;
    const ports = withinMemory({ objects: { read }, chunks: { list } } as unknown as Ports, memory, request);
    const ended = { endpoint: 'a', id: 'j1', status: 'CANCELLED', startedAt: 1, finishedAt: 1, aggregates: true };
    const output = streamedOutput(ports, ended as Job);
    await turn();
    expect(loaded).toEqual([]);
    other.release();
    expect(String(await output)).toBe('["a","a"]');
    // The size of a chunk in an object is not known before it is loaded.
    expect(memory.held).toBeGreaterThanOrEqual(2 * payloadLimits.chunk);
    leaves.abort();
    expect(memory.held).toBe(0);
  });
});

describe('a response of the ingress', () => {
  let server: Server;

  /** Starts a server that responds with this body. Returns its address and the outcome of the response. */
  async function respondWith(body: AsyncIterable<Uint8Array> | Uint8Array[]) {
    const outcome = Promise.withResolvers<unknown>();
    server = createServer((_, outgoing) => {
      send(outgoing, { status: 200, headers: {}, body }).then(
        () => outcome.resolve('sent'),
        (error: Error) => {
          outgoing.destroy();
          outcome.resolve(error.message);
        },
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { base, outcome: outcome.promise };
  }

  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  const large = Buffer.alloc(payloadLimits.output, 'x');

  it('is cut off only after its client has read nothing for 20 s', async () => {
    fakeTime();
    const { base, outcome } = await respondWith([large]);
    const { socket } = await rawConnection(base);
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await eventually('the response has begun', () => jest.getTimerCount() || undefined);
    // Bytes in the buffers of the operating system count as read.
    await jest.advanceTimersByTimeAsync(19_000);
    expect(await Promise.race([outcome, turn()])).toBeUndefined();
    for (let minute = 0; minute < 10; minute += 1) await jest.advanceTimersByTimeAsync(60_000);
    expect(await outcome).toContain('read too slowly');
    socket.destroy();
  });

  it('is cut off if its client reads below the minimum rate, even if the client never pauses for 20 s', async () => {
    fakeTime();
    const pausing = new Writable({
      highWaterMark: 1,
      write: (_bytes, _encoding, onWritten) => void setTimeout(onWritten, 10_000),
    });
    const outgoing = Object.assign(pausing, { writeHead: () => outgoing }) as unknown as ServerResponse;
    const outcome = send(outgoing, { status: 200, headers: {}, body: [large] }).then(
      () => 'sent',
      (error: Error) => error.message,
    );
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await Promise.race([outcome, turn()])).toContain('read too slowly');
  });

  it('reaches a client that reads slowly but above the minimum rate', async () => {
    fakeTime();
    const { base, outcome } = await respondWith([large]);
    const [incoming] = (await once(get(base), 'response')) as [IncomingMessage];
    let [received, next] = [0, 0];
    for await (const piece of incoming as AsyncIterable<Buffer>) {
      received += piece.length;
      if (received < next) continue;
      next = received + 1_000_000;
      await turn();
      await jest.advanceTimersByTimeAsync(5_000);
    }
    expect([received, await outcome]).toEqual([large.length, 'sent']);
  });

  it('reaches a reading client byte for byte, however long its body takes', async () => {
    fakeTime();
    async function* slowly() {
      yield Buffer.from(' ');
      await jest.advanceTimersByTimeAsync(600_000);
      yield large;
    }
    const { base, outcome } = await respondWith(slowly());
    const [incoming] = (await once(get(base), 'response')) as [IncomingMessage];
    const bytes = Buffer.concat(await Array.fromAsync<Buffer>(incoming));
    expect(bytes.equals(Buffer.concat([Buffer.from(' '), large]))).toBe(true);
    expect(await outcome).toBe('sent');
  });

  it('ends when its client disconnects', async () => {
    const { base, outcome } = await respondWith([large]);
    const { socket } = await rawConnection(base);
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(server, 'request');
    socket.destroy();
    expect(await outcome).toContain('closed the connection');
  });
});

describe('the ingress', () => {
  const emulated = useEmulatedDeployment();

  it('holds only as many outputs as fit into memory, and frees those of disconnected clients', async () => {
    const { ports } = emulated;
    await emulated.deploy('large');
    const output = JSON.stringify('x'.repeat(payloadLimits.output - 2));
    const memory = createMemory(3 * payloadLimits.output);
    const { gateway, stop } = await startIngress(portsWith(ports, { clock: systemClock }), {}, { memory });
    const headers = { [gatewayHeaders.owner]: 'team', [gatewayHeaders.requestId]: 'r' };
    const answer = fetch(`${gateway}/large/runsync`, { method: 'POST', headers, body: '{"input":{}}' });
    const { id } = await eventually(
      'the job is stored',
      async () => (await Array.fromAsync(ports.jobs.list('large')))[0],
    );
    await finish(ports, await takeJob(ports, 'large', id), { output });
    expect((await (await answer).text()).length).toBeGreaterThan(output.length);
    await eventually('the memory is free', () => memory.held === 0 || undefined);

    const { socket } = await rawConnection(gateway);
    socket.pause();
    socket.write(`GET /v2/large/status-sync/${id} HTTP/1.1\r\nHost: a\r\n${gatewayHeaders.owner}: team\r\n\r\n`);
    await eventually('the output is in memory', () => memory.held || undefined);
    const ask = () => fetch(`${gateway}/large/status-sync/${id}`, { headers });
    const refused = await ask();
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '1']);
    socket.destroy();
    await eventually('the memory is free', () => memory.held === 0 || undefined);
    const read = await ask();
    expect([read.status, (await read.text()).includes(output)]).toEqual([200, true]);
    await stop();
  });
});
