import type { Readable } from 'node:stream';

const utf8 = new TextDecoder();

/**
 * Reads a body as UTF-8. `node:stream/consumers` would create an iterator and a decoder for each body, which is a
 * noticeable part of a short call.
 * @throws the error of the stream, or an error if the stream closes before its end
 */
export function textOf(body: Readable): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const pieces: Buffer[] = [];
  body.on('data', (piece: Buffer) => pieces.push(piece));
  body.once('end', () => resolve(utf8.decode(Buffer.concat(pieces))));
  body.once('error', reject);
  body.once('close', () => body.readableEnded || reject(new Error('A body closed before its end.')));
  return promise;
}
