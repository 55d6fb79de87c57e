/**
 * Tests that each call has an outcome, within its time limit and with little memory, however the receiver behaves.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
  type TlsOptions,
} from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { webhookCallLimits } from '../../../core/limits.ts';
import { createWebhookClient } from '../../../lambda/webhooks/egress/post.ts';
import { startStopwatch } from '../../runner/stopwatch.ts';
import { postElsewhere } from './post-elsewhere.ts';
import { answer, type Receiver, startReceiver } from './receiver.ts';

const limits = { ...webhookCallLimits, body: { bytes: 64 * 1024, time: 300 } };
const options = { allow: ['127.0.0.1'], resolve: async () => ['127.0.0.1'] };
const webhookClient = createWebhookClient({ ...options, limits });
/** A client with short limits, for receivers that use all of the time. */
const impatient = createWebhookClient({ ...options, limits: { ...limits, connect: 300, answer: 300 } });
const HTTP_URL = (port: number) => `http://hook.test:${port}/path?query=1`;

const receivers: Receiver[] = [];
const unhandled: unknown[] = [];
const collect = (error: unknown) => unhandled.push(error);

beforeAll(() => {
  process.on('unhandledRejection', collect);
  process.on('uncaughtException', collect);
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
  expect(unhandled).toEqual([]);
});
afterAll(() => {
  process.off('unhandledRejection', collect);
  process.off('uncaughtException', collect);
});

async function postTo(converse: (socket: Socket) => void, body = '{"id":"j"}', by = webhookClient) {
  const receiver = await startReceiver(converse);
  receivers.push(receiver);
  const headers = { 'content-type': 'application/json', 'webhook-id': 'msg_1' };
  const outcome = await by.post({ url: HTTP_URL(receiver.port), headers, body });
  return { outcome, receiver };
}

/** Writes the text every 20 ms until the socket closes. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20);
  socket.once('close', () => clearInterval(timer));
}

/**
 * Writes while the peer reads.
 * @returns the count of written bytes
 */
function flood(socket: Socket, chunk: Buffer): { written: number } {
  const count = { written: 0 };
  const more = () => {
    while (!socket.destroyed) {
      count.written += chunk.length;
      if (!socket.write(chunk)) return;
    }
  };
  socket.on('drain', more);
  more();
  return count;
}

describe('a receiver that answers', () => {
  it.each([
    '200 OK',
    '201 Created',
    '202',
    '204 No Content',
    '301 Moved',
    '410 Gone',
    '418 x',
    '500 Oops',
    '503 Busy',
    '999 x',
  ])('determines the outcome by its status: %s', async (status) => {
    const { outcome } = await postTo((socket) => socket.end(answer(status, 'Retry-After: 120\r\n', 'thanks')));
    expect(outcome).toEqual({ answered: true, status: Number.parseInt(status, 10) });
  });

  it('with 429 and Retry-After does not make the client wait', async () => {
    const { outcome } = await postTo((socket) => socket.end(answer('429 Slow', 'Retry-After: 3600\r\n')));
    expect(outcome).toEqual({ answered: true, status: 429 });
  });

  it('gets one POST with unchanged headers and body', async () => {
    const body = JSON.stringify({ output: 'ü'.repeat(200_000) });
    const { outcome, receiver } = await postTo((socket) => {
      socket.on('data', (chunk) => String(chunk).endsWith('"}') && socket.end(answer('200 OK')));
    }, body);
    expect(outcome).toEqual({ answered: true, status: 200 });
    const [head = '', sent] = receiver.received.split('\r\n\r\n');
    expect(head.split('\r\n')[0]).toBe('POST /path?query=1 HTTP/1.1');
    expect(new Set(head.toLowerCase().split('\r\n').slice(1))).toEqual(
      new Set([
        'connection: close',
        'content-type: application/json',
        `content-length: ${Buffer.byteLength(body)}`,
        `host: hook.test:${receiver.port}`,
        'webhook-id: msg_1',
      ]),
    );
    // Not `expect(sent).toBe(body)`: a failure would print both bodies.
    expect(sent === body).toBe(true);
  });

  it('can send a few responses with status 1xx before its 200', async () => {
    const { outcome } = await postTo((socket) =>
      socket.end(`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Messages\r\nLink: </a>\r\n\r\n${answer('200 OK')}`),
    );
    expect(outcome).toEqual({ answered: true, status: 200 });
  });
});

describe('the status that a receiver sent is the outcome', () => {
  it('if it resets the connection after its head', async () => {
    const { outcome } = await postTo((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nx', () =>
        setTimeout(() => socket.resetAndDestroy(), 50),
      );
    });
    expect(outcome).toEqual({ answered: true, status: 200 });
  });

  it('if its body arrives byte by byte, without waiting for the rest', async () => {
    const began = performance.now();
    const { outcome } = await postTo((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n');
      drip(socket, 'x');
    });
    expect(outcome).toEqual({ answered: true, status: 200 });
    expect(performance.now() - began).toBeGreaterThan(limits.body.time - 50);
  });

  it('if its body never ends, after the client has read about 64 KB', async () => {
    let count = { written: 0 };
    const before = process.memoryUsage().rss;
    const { outcome, receiver } = await postTo((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n');
      count = flood(socket, Buffer.alloc(64 * 1024, 'x'));
    });
    expect(outcome).toEqual({ answered: true, status: 200 });
    await receiver.stop();
    receivers.splice(0);
    // The difference is in the buffers of the operating system.
    expect(count.written).toBeLessThan(32 * 1024 * 1024);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });
});

describe('the client gives up a receiver', () => {
  const invalid = { answered: false, reason: 'INVALID_ANSWER' };
  const closed = { answered: false, reason: 'CLOSED' };
  const late = { answered: false, reason: 'TIMEOUT' };

  it.each<[string, object, (socket: Socket) => void]>([
    ['sends nothing', late, () => {}],
    [
      'sends its head byte by byte',
      late,
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nA: ');
        drip(socket, 'b');
      },
    ],
    [
      'sends an endless list of headers, slowly',
      late,
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        drip(socket, 'A: b\r\n');
      },
    ],
    ['closes the connection immediately', closed, (socket) => socket.end()],
    ['resets the connection', closed, (socket) => socket.resetAndDestroy()],
    ['closes the connection within its head', closed, (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-')],
    [
      'switches to another protocol',
      invalid,
      (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    ],
    ['speaks HTTP/0.9', invalid, (socket) => socket.end('<html>thanks</html>')],
    ['speaks SSH', invalid, (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
    ['sends binary data', invalid, (socket) => socket.end(Buffer.from([0x16, 0x03, 0x01, 0, 1, 0, 0xff]))],
    ['sends an empty status', invalid, (socket) => socket.end('HTTP/1.1  OK\r\n\r\n')],
    [
      'sends two lengths',
      invalid,
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'),
    ],
    ['sends 100 KB of headers', invalid, (socket) => socket.end(answer('200 OK', `A: ${'b'.repeat(100 * 1024)}\r\n`))],
    ['sends 10,000 headers', invalid, (socket) => socket.end(answer('200 OK', 'A: b\r\n'.repeat(10_000)))],
    [
      'sends 1xx responses without a pause',
      invalid,
      (socket) => {
        flood(socket, Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(1_000)));
      },
    ],
    [
      'sends 1xx responses forever, slowly',
      invalid,
      (socket) => drip(socket, 'HTTP/1.1 103 Early Messages\r\nLink: </a>\r\n\r\n'),
    ],
  ])('if it %s', async (_, expected, converse) => {
    const { outcome } = await postTo(converse, '{}', expected === late ? impatient : webhookClient);
    expect(outcome).toMatchObject(expected);
  });

  it('if no server listens', async () => {
    const { receiver } = await postTo((socket) => socket.end());
    await receiver.stop();
    receivers.splice(0);
    expect(await webhookClient.post({ url: HTTP_URL(receiver.port), headers: {}, body: '' })).toEqual({
      answered: false,
      reason: 'CONNECT',
      detail: 'The host does not accept connections.',
    });
  });
});

describe('a call over TLS', () => {
  let folder: string;
  let trusted: TlsOptions;
  let untrusted: TlsOptions;
  const defaults = getCACertificates('default');

  function certificate(name: string): TlsOptions {
    const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
    const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}.test,DNS:other.test`];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, ...subject], { stdio: 'pipe' });
    return { key: readFileSync(key), cert: readFileSync(cert) };
  }

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'certificates-'));
    trusted = certificate('hook');
    untrusted = certificate('stranger');
    setDefaultCACertificates([...defaults, String(trusted.cert)]);
  });
  afterAll(() => {
    setDefaultCACertificates(defaults);
    rmSync(folder, { recursive: true, force: true });
  });

  async function postOver(options: TlsOptions, host: string) {
    const names: unknown[] = [];
    const SNICallback: TlsOptions['SNICallback'] = (name, answerTo) => {
      names.push(name);
      answerTo(null);
    };
    const server = createTlsServer({ ...options, SNICallback });
    server.on('tlsClientError', () => {});
    const receiver = await startReceiver((socket) => socket.end(answer('200 OK')), server);
    receivers.push(receiver);
    const outcome = await webhookClient.post({ url: `https://${host}:${receiver.port}/`, headers: {}, body: '{}' });
    return { outcome, names, receiver };
  }

  it('sends the host name, and accepts a certificate for that name', async () => {
    expect(await postOver(trusted, 'hook.test')).toMatchObject({
      outcome: { answered: true, status: 200 },
      names: ['hook.test'],
    });
    expect(await postOver(trusted, 'hook.test.')).toMatchObject({
      outcome: { answered: true, status: 200 },
      names: ['hook.test'],
    });
  });

  it.each<[string, string, () => TlsOptions]>([
    ['that no authority has signed', 'stranger.test', () => untrusted],
    ['for another name', 'elsewhere.test', () => trusted],
    ['for names, but not for the address', '127.0.0.1', () => trusted],
    [
      'over TLS 1.0',
      'hook.test',
      () => ({ ...trusted, minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    ],
    [
      'over TLS 1.1',
      'hook.test',
      () => ({ ...trusted, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    ],
  ])('refuses a certificate %s, and sends no data', async (_, host, options) => {
    const { outcome, receiver } = await postOver(options(), host);
    expect(outcome).toMatchObject({ answered: false, reason: 'TLS' });
    expect(receiver.received).toBe('');
  });

  it('refuses a certificate that no authority has signed, even if NODE_TLS_REJECT_UNAUTHORIZED is 0', async () => {
    const server = createTlsServer(untrusted).on('tlsClientError', () => {});
    const receiver = await startReceiver((socket) => socket.end(answer('200 OK')), server);
    receivers.push(receiver);
    const url = `https://stranger.test:${receiver.port}/`;
    const outcome = await postElsewhere(url, { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
    expect([outcome, receiver.received]).toMatchObject([{ answered: false, reason: 'TLS' }, '']);
  });

  it('gives up a host that does not speak TLS', async () => {
    const receiver = await startReceiver(() => {});
    receivers.push(receiver);
    const url = `https://hook.test:${receiver.port}/`;
    const stopwatch = startStopwatch();
    const hasty = createWebhookClient({ ...options, limits: { ...limits, connect: 300 } });
    expect(await hasty.post({ url, headers: {}, body: '{}' })).toMatchObject({ reason: 'TIMEOUT' });
    expect(stopwatch.milliseconds()).toBeLessThan(limits.answer / 2);
    stopwatch.stop();
  });
});
