/**
 * Sends bytes over a TCP connection and reads the HTTP/1.1 replies. The bytes are not validated before they are
 * sent.
 */
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Received, type Reply, readReply } from './replies.ts';

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

/**
 * Sends the pieces over a new connection. Reads until all replies have arrived or the server closes the
 * connection.
 * @param within milliseconds until the exchange counts as silent
 */
export async function exchange(
  port: number,
  { pieces, pause, after, expects, bodyless }: Sending,
  within: number,
): Promise<Exchange> {
  const from = performance.now();
  const received = new Received();
  const replies: Reply[] = [];
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  const closed = () => received.end('closed');
  const timer = setTimeout(() => received.end('silent'), within);
  socket.on('data', (chunk) => received.add(chunk));
  socket.on('end', closed);
  socket.on('error', closed);

  const write = async () => {
    for (const [n, piece] of pieces.entries()) {
      if (n > 0 && pause > 0) await delay(pause);
      if (socket.destroyed) return;
      socket.write(piece);
    }
    if (after === 'end') socket.end();
    if (after === 'leave') socket.end(closed);
  };
  socket.on('connect', () => void write());

  try {
    while (replies.length < expects) {
      const reply = await readReply(received, bodyless);
      if (!reply) break;
      if (reply.status >= 200) replies.push(reply);
    }
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
  const end = replies.length < expects ? received.ending : undefined;
  return { replies, end: end ?? 'answered', lasted: performance.now() - from };
}
