/** Tests reading bodies over HTTP, and from streams on a clock that the tests move. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { RequestBody } from '../../core/http/request.ts';
import { payloadLimits } from '../../core/limits.ts';
import { PayloadTooLarge, RequestTimeout, TooManyRequests } from '../../core/requests/errors.ts';
import { createMemory } from '../../ingress/memory.ts';
import { createBodyReader, type Incoming, RequestAborted } from '../../ingress/request-body.ts';
import { bodyReading } from '../../ingress/transfer-limits.ts';

const limit = payloadLimits.body.run;

/** Returns a request whose body the test writes. */
function incoming(length?: number): PassThrough & Incoming {
  const headers = length === undefined ? {} : { 'content-length': String(length) };
  return Object.assign(new PassThrough({ highWaterMark: 2 ** 30 }), { headers });
}

function sent(bytes: Uint8Array, length?: number): Incoming {
  const request = incoming(length);
  request.end(bytes);
  return request;
}

/** Bytes that each differ from their neighbours. */
const counted = (length: number) => Buffer.from(Uint8Array.from({ length }, (_, n) => n % 251));

describe('the reader of bodies', () => {
  it.each([
    [0, 0],
    [0, undefined],
    [1, undefined],
    [65_536, undefined],
    [65_537, undefined],
    [3_000_000, undefined],
    [3_000_000, 3_000_000],
  ])('reads %d bytes with the Content-Length %s', async (length, declared) => {
    const bytes = counted(length);
    const request = incoming(declared);
    const read = createBodyReader(createMemory()).read(request, 'run', 'a');
    for (let at = 0; at < length; at += 10_007) request.write(bytes.subarray(at, at + 10_007));
    request.end();
    expect((await read).bytes.equals(bytes)).toBe(true);
  });

  it('refuses a Content-Length above the limit before it reads', async () => {
    const request = incoming(limit + 1);
    request.write('{');
    const refused = createBodyReader(createMemory()).read(request, 'run', 'a');
    await expect(refused).rejects.toThrow(PayloadTooLarge);
    await expect(refused).rejects.toThrow(`The body has ${limit + 1} bytes; /run accepts at most ${limit}.`);
    expect(request.readableLength).toBe(1);
    expect(
      (await createBodyReader(createMemory()).read(sent(Buffer.alloc(limit), limit), 'run', 'a')).bytes,
    ).toHaveLength(limit);
  });

  it('refuses a body of unknown length at the first byte above the limit, before its end', async () => {
    const request = incoming();
    const read = createBodyReader(createMemory()).read(request, 'run', 'a');
    request.write(Buffer.alloc(limit));
    request.write('x');
    request.write('unread');
    await expect(read).rejects.toThrow(`The body has more than ${limit} bytes; /run accepts at most ${limit}.`);
    expect(request.isPaused()).toBe(true);
  });
});

describe('a body that arrives slowly', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  const start = (request: Incoming) => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const outcome = createBodyReader(createMemory())
      .read(request, 'runsync', 'a')
      .catch((error: unknown) => error);
    let isSettled = false;
    void outcome.then(() => {
      isSettled = true;
    });
    const isOver = async () => {
      await jest.advanceTimersByTimeAsync(0);
      return isSettled;
    };
    return { outcome, isOver };
  };

  it('is refused with 408 after 20 s without data, and not earlier', async () => {
    const request = incoming(10_000_000);
    const { outcome, isOver } = start(request);
    request.write(Buffer.alloc(5_000_000));
    await jest.advanceTimersByTimeAsync(0);
    await jest.advanceTimersByTimeAsync(bodyReading.stall - 1);
    expect(await isOver()).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(await isOver()).toBe(true);
    expect(await outcome).toBeInstanceOf(RequestTimeout);
    expect(await outcome).toMatchObject({
      status: 408,
      code: 'REQUEST_TIMEOUT',
      message: expect.stringContaining('5000000'),
    });
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is refused with 408 if it is below the minimum rate, although it never pauses', async () => {
    const request = incoming();
    const { outcome, isOver } = start(request);
    for (let second = 0; second < 19; second += 1) {
      request.write('x');
      await jest.advanceTimersByTimeAsync(1_000);
    }
    expect(await isOver()).toBe(false);
    request.write('x');
    await jest.advanceTimersByTimeAsync(1_001);
    expect(await isOver()).toBe(true);
    expect(await outcome).toBeInstanceOf(RequestTimeout);
  });

  it('is read completely if it has the minimum rate, however long that takes', async () => {
    const request = incoming();
    const { outcome } = start(request);
    for (let second = 0; second < 60; second += 1) {
      request.write(Buffer.alloc(bodyReading.rate));
      await jest.advanceTimersByTimeAsync(1_000);
    }
    request.end();
    expect(await outcome).toHaveProperty('bytes.length', 60 * bodyReading.rate);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('the memory of a process', () => {
  const MB = 2 ** 20;

  it('refuses another body of the endpoint with Retry-After before reading it, until a body is released', async () => {
    const memory = createMemory(4 * MB);
    const reader = createBodyReader(memory);
    const first = await reader.read(sent(Buffer.alloc(MB), MB), 'run', 'a');
    const underWay = incoming(MB);
    const second = reader.read(underWay, 'run', 'a');
    const third = incoming(1);
    third.write('{');
    const refused = reader.read(third, 'run', 'a').catch((error: unknown) => error);
    expect(await refused).toBeInstanceOf(TooManyRequests);
    expect(await refused).toMatchObject({ retryAfter: 1, message: expect.stringContaining('Endpoint `a`') });
    expect(third.readableLength).toBe(1);

    expect((await reader.read(sent(Buffer.alloc(MB / 2), MB / 2), 'run', 'b')).bytes).toHaveLength(MB / 2);
    first.release();
    first.release();
    expect(() => first.bytes).toThrow('released');
    expect(memory.held).toBe(1.5 * MB);
    underWay.destroy();
    await expect(second).rejects.toThrow(RequestAborted);
    expect(memory.held).toBe(MB / 2);
  });

  it('counts small bodies', async () => {
    const memory = createMemory(10);
    const reader = createBodyReader(memory);
    await reader.read(sent(Buffer.alloc(5), 5), 'run', 'a');
    await expect(reader.read(sent(Buffer.alloc(1), 1), 'run', 'a')).rejects.toThrow(TooManyRequests);
    expect(memory.held).toBe(5);
  });

  it('counts the bytes of a body of unknown length as they arrive', async () => {
    const memory = createMemory(4 * MB);
    const reader = createBodyReader(memory);
    const request = incoming();
    const read = reader.read(request, 'run', 'a');
    request.write(Buffer.alloc(MB));
    request.write(Buffer.alloc(MB));
    request.write('x');
    await expect(read).rejects.toThrow(TooManyRequests);
    expect(memory.held).toBe(0);

    const growing = incoming();
    const grown = reader.read(growing, 'run', 'a');
    growing.write(Buffer.alloc(MB / 2));
    growing.end('x');
    const body = await grown;
    expect(body.bytes.length).toBe(MB / 2 + 1);
    expect(memory.held).toBeGreaterThan(MB / 2);
    body.release();
    expect(memory.held).toBe(0);
    (await reader.read(sent(Buffer.alloc(MB)), 'run', 'a')).release();
    expect(memory.held).toBe(0);
  });

  it('aborts a slow body when its endpoint has little memory left, but not a body of another endpoint', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const memory = createMemory(64 * MB);
      const reader = createBodyReader(memory);
      const begin = (endpoint: string) => {
        const request = incoming(10 * MB - 1);
        return { request, outcome: reader.read(request, 'run', endpoint).catch((error: unknown) => error) };
      };
      const [slow, other] = [begin('a'), begin('b')];
      const trickle = async () => {
        for (const { request } of [slow, other]) request.write(Buffer.alloc(bodyReading.rate));
        await jest.advanceTimersByTimeAsync(1_000);
      };
      for (let second = 0; second < 40; second += 1) await trickle();
      expect(memory.held).toBe(20 * MB - 2);
      memory.open('a').grow(10 * MB);
      await trickle();
      expect(await slow.outcome).toMatchObject({
        code: 'REQUEST_TIMEOUT',
        message: expect.stringContaining('1048576'),
      });
      other.request.end(Buffer.alloc(10 * MB - 1 - 41 * bodyReading.rate));
      expect(await other.outcome).toHaveProperty('bytes.length', 10 * MB - 1);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('a body in memory', () => {
  it('is released only once, even if release is called again', () => {
    const onRelease = jest.fn();
    const body = new RequestBody(Buffer.from('{}'), onRelease);
    body.release();
    body.release();
    expect(onRelease).toHaveBeenCalledTimes(1);
    expect(() => body.bytes).toThrow('released');
  });
});

describe('a request body over HTTP', () => {
  let server: Server;

  /**
   * Sends a request with the given bytes.
   * @returns the body as the reader returns it, or the error
   */
  async function outcomeOf(bytes: string, isCut: boolean) {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    server = createServer((request: IncomingMessage, response) => {
      createBodyReader(createMemory())
        .read(request, 'run', 'a')
        .then(({ bytes }) => bytes.toString())
        .catch((error: unknown) => error)
        .then(resolve, resolve)
        .finally(() => response.end());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    client.write(`POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${bytes}`);
    if (isCut) once(server, 'request').then(() => client.destroy());
    else client.resume();
    return promise.finally(() => client.destroy());
  }

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it.each([
    ['with a Content-Length', 'Content-Length: 2\r\n\r\n{}'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n'],
    ['with more bytes than its Content-Length', 'Content-Length: 2\r\n\r\n{}{}{}'],
  ])('is read %s', async (_, bytes) => {
    expect(await outcomeOf(bytes, false)).toBe('{}');
  });

  it.each([
    ['is shorter than its Content-Length', 'Content-Length: 100\r\n\r\n{}'],
    ['has no last chunk', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n'],
  ])('needs no response after its client has disconnected, if it %s', async (_, bytes) => {
    expect(await outcomeOf(bytes, true)).toBeInstanceOf(RequestAborted);
  });
});
