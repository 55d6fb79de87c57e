/** Writes responses at the pace of the client. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Body, HttpResponse } from '../core/http/respond.ts';
import { SECOND } from '../core/limits.ts';
import { bodyReading, timeLeft } from './transfer-limits.ts';

/**
 * Maximum time for which a connection stays open after the response if the client is still sending its request,
 * because the client could not read the response from a closed connection. The rest of the request is dropped.
 */
const LINGER = 5 * SECOND;

export function dropRest(incoming: IncomingMessage): void {
  if (incoming.complete) return;
  const timer = setTimeout(() => incoming.socket.destroy(), LINGER);
  incoming.once('close', () => clearTimeout(timer));
  incoming.resume();
}

/** The client has closed its connection, or reads its response too slowly. */
export class ClientLeft extends Error {
  override readonly name = 'ClientLeft';
}

const isWhole = (body: Body): body is readonly Uint8Array[] => Array.isArray(body);

/** Number of bytes in one write. Even at the lowest rate, a client reads them within the stall limit. */
const SLICE = 128 * 1024;

/**
 * Waits for a client to read its response, and fails if the client reads too slowly.
 * @returns a function that waits until the client has read enough bytes for `drain`, or all bytes for `finish`
 */
function paceOf(outgoing: ServerResponse) {
  let waited = 0;
  return async (event: 'drain' | 'finish', written: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const began = performance.now();
    const onClose = () => reject(new ClientLeft('The client closed the connection before the end of its response.'));
    const onSlow = () => reject(new ClientLeft(`The client read too slowly: at most ${written} bytes.`));
    // Ends the connection, not a pause: the client's pace decides.
    const timer = setTimeout(onSlow, timeLeft(written, waited, bodyReading.rate));
    outgoing.once(event, resolve).once('close', onClose);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      outgoing.off(event, resolve).off('close', onClose);
      waited += performance.now() - began;
    }
  };
}

/**
 * Writes the response at the pace of the client. Only time spent waiting for the client counts: generating the body
 * can take minutes.
 * @throws ClientLeft if the client closes the connection or reads too slowly
 * @throws the error of a body that fails in the middle; the caller destroys the connection
 */
export async function send(outgoing: ServerResponse, { status, headers, body }: HttpResponse<Body>): Promise<void> {
  const length = isWhole(body) ? body.reduce((sum, piece) => sum + piece.byteLength, 0) : undefined;
  outgoing.writeHead(status, length === undefined ? headers : { ...headers, 'Content-Length': length });
  // A waiting client gets the status before the body is complete.
  if (length === undefined) outgoing.flushHeaders();
  const flushed = paceOf(outgoing);
  const assertOpen = () => {
    if (outgoing.destroyed) throw new ClientLeft('The client closed the connection before its response.');
  };
  let written = 0;
  for await (const piece of body)
    for (let at = 0; at < piece.byteLength; at += SLICE) {
      const slice = piece.subarray(at, at + SLICE);
      assertOpen();
      written += slice.byteLength;
      if (!outgoing.write(slice)) await flushed('drain', written);
    }
  assertOpen();
  outgoing.end();
  if (!outgoing.writableFinished) await flushed('finish', written);
}
