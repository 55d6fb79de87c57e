import type { Readable } from 'node:stream';

/**
 * Reads a body as UTF-8. `node:stream/consumers` would create an iterator and a decoder for each body, which is a
 * noticeable part of a short call.
 * @throws the error of the stream
 */
export function textOf(body: Readable): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const pieces: Buffer[] = [];
  body.on('data', (piece: Buffer) => pieces.push(piece));
  body.once('end', () => resolve(Buffer.concat(pieces).toString()));
  body.once('error', reject);
  return promise;
}
