/** Serializes requests, with and without violations of HTTP. */
import fc from 'fast-check';
import type { Sending } from './exchange.ts';
import type { Header } from './headers.ts';

/** A request before it is serialized. */
export interface Message {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

/** A serialized request, and how its client behaves. */
export interface Written {
  /** Request line and headers. Tokens stand for ids and keys. */
  readonly head: string;
  readonly body: Buffer;
  /**
   * Whether the request violates HTTP. The server may then close the connection without a reply, or reply with
   * something other than JSON.
   */
  readonly broken: boolean;
  /** Number of times that the request is sent over the connection, without waiting for replies. */
  readonly times: number;
  /** Number of parts into which the request is cut, and milliseconds between parts. */
  readonly parts: number;
  readonly pause: number;
  readonly after: Sending['after'];
}

export type Framing = (message: Message) => Written;

const CRLF = '\r\n';
const plain = { broken: false, times: 1, parts: 1, pause: 0, after: 'wait' } as const;

const headOf = ({ method, path, headers }: Message, more: readonly Header[], version = 'HTTP/1.1') =>
  [`${method} ${path} ${version}`, ...[...headers, ...more].map(([name, value]) => `${name}: ${value}`), '', ''].join(
    CRLF,
  );

const host: Header = ['Host', '127.0.0.1'];
const close: Header = ['Connection', 'close'];
const length = ({ body }: Message): Header[] => (body.length > 0 ? [['Content-Length', String(body.length)]] : []);

const intact: Framing = (message) => ({
  ...plain,
  head: headOf(message, [host, close, ...length(message)]),
  body: message.body,
});

function chunksOf(body: Buffer, size: number): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.subarray(at, at + size);
    chunks.push(Buffer.from(chunk.length.toString(16) + CRLF), chunk, Buffer.from(CRLF));
  }
  return Buffer.concat([...chunks, Buffer.from(`0${CRLF}${CRLF}`)]);
}

const CHUNK = 1_000;
const chunked: Framing = (message) => ({
  ...plain,
  head: headOf(message, [host, close, ['Transfer-Encoding', 'chunked']]),
  body: chunksOf(message.body, CHUNK),
});

const slow: Framing = (message) => ({ ...intact(message), parts: 5, pause: 100 });
/** Node.js treats a half-closed connection as a disconnected client. */
const halfClosed: Framing = (message) => ({ ...intact(message), after: 'end', broken: true });
const left: Framing = (message) => ({ ...intact(message), after: 'leave', broken: true });
/**
 * The client closes the connection, because a request with `Connection: close` must be the last on its connection.
 */
const pipelined: Framing = (message) => ({
  ...plain,
  head: headOf(message, [host, ...length(message)]),
  body: message.body,
  times: 4,
});

/**
 * Returns a framing that makes the message invalid HTTP.
 * @param more headers instead of the content length
 */
const brokenBy =
  (more: readonly Header[], bodyOf: (body: Buffer) => Buffer = (body) => body): Framing =>
  (message) => ({
    ...plain,
    head: headOf(message, [host, close, ...more]),
    body: bodyOf(message.body),
    broken: true,
    after: 'end',
  });

const smuggled = Buffer.from(`0${CRLF}${CRLF}GET /v2/victim/health HTTP/1.1${CRLF}Host: x${CRLF}${CRLF}`);

const brokenFramings: readonly Framing[] = [
  brokenBy([['Content-Length', '100000']]),
  brokenBy([['Content-Length', '1']]),
  brokenBy([['Content-Length', '-1']]),
  brokenBy([['Content-Length', '1e3']]),
  brokenBy([['Content-Length', '0x10']]),
  brokenBy([['Content-Length', '9'.repeat(30)]]),
  brokenBy([
    ['Content-Length', '2'],
    ['Content-Length', '3'],
  ]),
  brokenBy(
    [
      ['Content-Length', '5'],
      ['Transfer-Encoding', 'chunked'],
    ],
    () => smuggled,
  ),
  brokenBy(
    [
      ['Transfer-Encoding', 'chunked'],
      ['Transfer-Encoding', 'identity'],
    ],
    () => smuggled,
  ),
  brokenBy([['Transfer-Encoding', ' chunked']], () => smuggled),
  brokenBy([['Transfer-Encoding', 'gzip, chunked']], () => smuggled),
  brokenBy([['Transfer-Encoding', 'x']]),
  brokenBy([['Transfer-Encoding', 'chunked']], () => Buffer.from(`zz${CRLF}`)),
  brokenBy([['Transfer-Encoding', 'chunked']], () =>
    Buffer.from(`5;${'x'.repeat(20_000)}${CRLF}hello${CRLF}0${CRLF}${CRLF}`),
  ),
  brokenBy([['Transfer-Encoding', 'chunked']], () => Buffer.from(`${'f'.repeat(20)}${CRLF}x`)),
  brokenBy([['Transfer-Encoding', 'chunked']], () => Buffer.from(`5${CRLF}he`)),
  brokenBy([['Expect', 'what']]),
  brokenBy([['Bad Name', 'x']]),
  brokenBy([['', 'x']]),
  brokenBy([['X-Null', '\0']]),
  brokenBy([['X-Fold', `a${CRLF} b`]]),
  brokenBy([['X-Bare', 'a\nX-Injected: b']]),
  brokenBy([['X-Huge', 'x'.repeat(100_000)]]),
  brokenBy([['Host', 'evil.invalid']]),
  brokenBy([
    ['Upgrade', 'websocket'],
    ['Connection', 'Upgrade'],
  ]),
];

const bytes =
  (head: string | Buffer): Framing =>
  () => ({
    ...plain,
    head: '',
    body: Buffer.from(head),
    broken: true,
    after: 'end',
  });

const notHttp: readonly Framing[] = [
  bytes(''),
  bytes(CRLF.repeat(50)),
  bytes('GET'),
  bytes(`GET /v2/own-0/health${CRLF}`),
  bytes(`GET  /v2/own-0/health  HTTP/1.1${CRLF}${CRLF}`),
  bytes(`GET /v2/own-0/health HTTP/9.9${CRLF}${CRLF}`),
  bytes(`GET /v2/own-0/health HTTP/1.1${CRLF}${CRLF}`),
  bytes(`GET /v2/own-0/health HTTP/1.1\nHost: x\n\n`),
  bytes(`get /v2/own-0/health HTTP/1.1${CRLF}Host: x${CRLF}${CRLF}`),
  bytes(`CONNECT 169.254.169.254:80 HTTP/1.1${CRLF}Host: x${CRLF}${CRLF}`),
  bytes(`OPTIONS * HTTP/1.1${CRLF}Host: x${CRLF}${CRLF}`),
  bytes(`GET /\xe9\xff HTTP/1.1${CRLF}Host: x${CRLF}${CRLF}`),
  bytes(`GET /a b c HTTP/1.1${CRLF}Host: x${CRLF}${CRLF}`),
  bytes(`${'A'.repeat(100_000)}`),
  bytes(`PRI * HTTP/2.0${CRLF}${CRLF}SM${CRLF}${CRLF}`),
  // The first bytes of a TLS handshake.
  bytes(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])),
  bytes(Buffer.alloc(2_000)),
];

export const framing: fc.Arbitrary<Framing> = fc.oneof(
  { weight: 150, arbitrary: fc.constant(intact) },
  { weight: 10, arbitrary: fc.constant(chunked) },
  { weight: 3, arbitrary: fc.constant(slow) },
  { weight: 2, arbitrary: fc.constant(halfClosed) },
  { weight: 2, arbitrary: fc.constant(left) },
  { weight: 3, arbitrary: fc.constant(pipelined) },
  { weight: 6, arbitrary: fc.constantFrom(...brokenFramings) },
  { weight: 3, arbitrary: fc.constantFrom(...notHttp) },
);
