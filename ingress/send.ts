/** Writes responses. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Body, HttpResponse } from '../core/http/respond.ts';
import { SECOND } from '../core/limits.ts';

/**
 * A client that is still sending when its answer comes reads the answer only if the connection stays open. What it sends
 * meanwhile is dropped, and after this time so is the connection.
 */
const LINGER = 5 * SECOND;

export function dropRest(incoming: IncomingMessage): void {
  if (incoming.complete) return;
  const timer = setTimeout(() => incoming.socket.destroy(), LINGER);
  incoming.once('close', () => clearTimeout(timer));
  incoming.resume();
}

const isWhole = (body: Body): body is readonly Uint8Array[] => Array.isArray(body);

/** @throws Error if the client goes away, or what makes the body fails in the middle of it */
export async function send(outgoing: ServerResponse, { status, headers, body }: HttpResponse<Body>): Promise<void> {
  if (!isWhole(body)) {
    outgoing.writeHead(status, headers);
    // The status is for a client that waits.
    outgoing.flushHeaders();
    await pipeline(Readable.from(body), outgoing);
    return;
  }
  const length = body.reduce((sum, piece) => sum + piece.byteLength, 0);
  outgoing.writeHead(status, { ...headers, 'Content-Length': length });
  for (const piece of body) outgoing.write(piece);
  outgoing.end();
}
