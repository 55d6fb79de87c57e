/**
 * Sends bytes over a TCP connection and reads the HTTP/1.1 replies. The bytes are not validated before they are
 * sent.
 */
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface Reply {
  readonly status: number;
  readonly body: string;
}

export interface Exchange {
  readonly replies: readonly Reply[];
  /** `silent` if the server did not answer or close the connection in time. */
  readonly end: 'answered' | 'closed' | 'silent';
  /** Milliseconds. */
  readonly lasted: number;
}

export interface Sending {
  /** Pieces of the request, which are written in this order. */
  readonly pieces: readonly Buffer[];
  /** Milliseconds between two pieces. */
  readonly pause: number;
  /** The client's action after the last piece: it waits, ends its side of the connection, or disconnects. */
  readonly after: 'wait' | 'end' | 'leave';
  /** Number of replies that the client expects. It closes the connection after the last one. */
  readonly expects: number;
  /** Whether replies have no body, as for `HEAD`. */
  readonly bodyless: boolean;
}

const HEAD_END = '\r\n\r\n';

interface Parsed {
  readonly reply: Reply;
  /** Bytes of the reply. */
  readonly length: number;
}

/** @returns the body and its length as sent, or undefined while the last chunk is missing */
function chunkedBody(bytes: Buffer): { body: Buffer; length: number } | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    const next = end + 2 + size + 2;
    if (Number.isNaN(size) || next > bytes.length) return undefined;
    if (size === 0) return { body: Buffer.concat(chunks), length: next };
    chunks.push(bytes.subarray(end + 2, end + 2 + size));
    at = next;
  }
}

function bodyOf(head: string, rest: Buffer, isClosed: boolean): { body: Buffer; length: number } | undefined {
  if (/^transfer-encoding: *chunked/im.test(head)) return chunkedBody(rest);
  const declared = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (declared === undefined) return isClosed ? { body: rest, length: rest.length } : undefined;
  const length = Number(declared);
  return rest.length < length ? undefined : { body: rest.subarray(0, length), length };
}

/** @returns the first reply, or undefined if it is incomplete */
function parseReply(bytes: Buffer, isClosed: boolean, bodyless: boolean): Parsed | undefined {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
  const rest = bytes.subarray(end + HEAD_END.length);
  const hasBody = !bodyless && status >= 200 && status !== 204;
  const found = hasBody ? bodyOf(head, rest, isClosed) : { body: Buffer.alloc(0), length: 0 };
  if (!found) return undefined;
  return { reply: { status, body: found.body.toString('utf8') }, length: end + HEAD_END.length + found.length };
}

/** Returns the complete final replies, without `100 Continue`. */
function parseReplies(bytes: Buffer, isClosed: boolean, bodyless: boolean): Reply[] {
  const replies: Reply[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const parsed = parseReply(rest, isClosed, bodyless);
    if (!parsed) break;
    if (parsed.reply.status >= 200) replies.push(parsed.reply);
    rest = rest.subarray(parsed.length);
  }
  return replies;
}

/**
 * Sends the pieces over a new connection. Reads until all replies have arrived or the server closes the
 * connection.
 * @param within milliseconds until the exchange counts as silent
 */
export function exchange(
  port: number,
  { pieces, pause, after, expects, bodyless }: Sending,
  within: number,
): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  const from = performance.now();
  const received: Buffer[] = [];
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  const finish = (end: Exchange['end']) => {
    clearTimeout(timer);
    socket.destroy();
    const replies = parseReplies(Buffer.concat(received), end === 'closed', bodyless);
    resolve({ replies, end: replies.length >= expects ? 'answered' : end, lasted: performance.now() - from });
  };
  const timer = setTimeout(() => finish('silent'), within);
  socket.on('data', (chunk) => {
    received.push(chunk);
    if (parseReplies(Buffer.concat(received), false, bodyless).length >= expects) finish('answered');
  });
  socket.on('end', () => finish('closed'));
  socket.on('error', () => finish('closed'));

  const write = async () => {
    for (const [n, piece] of pieces.entries()) {
      if (n > 0 && pause > 0) await delay(pause);
      if (socket.destroyed) return;
      socket.write(piece);
    }
    if (after === 'end') socket.end();
    if (after === 'leave') socket.end(() => finish('closed'));
  };
  socket.on('connect', () => void write());
  return promise;
}
