/** Reads the body of a response of the user's HTTP server: as text, or as a limited number of bytes. */
import { TextDecoder } from 'node:util';
import { payloadLimits } from '../../core/limits.ts';
import type { Report } from '../../core/workers/report.ts';
import { UnusableAnswer } from './request.ts';

/**
 * Creates a decoder of texts that refuses invalid bytes.
 * @throws UnusableAnswer if the encoding is unknown
 */
function decoderOf(charset: string, ignoreBOM = false): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM });
  } catch (cause) {
    throw new UnusableAnswer(`sent text in an unknown encoding, ${charset}`, { cause });
  }
}

/**
 * Decodes the next bytes of a text, or ends it.
 * @throws UnusableAnswer if a byte is invalid in the encoding
 */
function decode(decoder: TextDecoder, bytes?: Buffer): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch (cause) {
    throw new UnusableAnswer(`sent bytes that are not ${decoder.encoding}`, { cause });
  }
}

/**
 * Decodes a whole text.
 * @throws UnusableAnswer if the bytes are invalid in this encoding
 */
export function decoded(bytes: Buffer, charset = 'utf-8'): string {
  const decoder = decoderOf(charset);
  return decode(decoder, bytes) + decode(decoder);
}

/**
 * Yields the text of a body in UTF-8 as it arrives. Each piece contains all text that has arrived since the last
 * piece was read.
 * @param keepMark whether a byte order mark is part of the text
 * @throws UnusableAnswer if a byte is invalid in the encoding
 */
export async function* textOf(response: AsyncIterable<Buffer>, keepMark = false): AsyncGenerator<string> {
  const decoder = decoderOf('utf-8', keepMark);
  for await (const bytes of response) yield decode(decoder, bytes);
  yield decode(decoder);
}

/** Reads the whole body. Returns its size and, if it has at most `maxBytes` bytes, its bytes. */
export async function bodyOf(
  response: AsyncIterable<Buffer>,
  maxBytes: number = payloadLimits.output,
): Promise<{ readonly size: number; readonly bytes?: Buffer }> {
  const kept: Buffer[] = [];
  let size = 0;
  for await (const bytes of response) {
    size += bytes.length;
    if (size <= maxBytes) kept.push(bytes);
    else kept.length = 0;
  }
  return size <= maxBytes ? { size, bytes: Buffer.concat(kept) } : { size };
}

/** Reads at most the first `maxBytes` bytes. */
export async function beginningOf(response: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const kept: Buffer[] = [];
  let size = 0;
  for await (const bytes of response) {
    kept.push(bytes);
    size += bytes.length;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(kept).subarray(0, maxBytes);
}

/** Stores the chunks one after the other. The server is not read while a chunk is being stored. */
export async function stored(chunks: AsyncIterable<string>, store: (chunk: string) => Promise<void>): Promise<Report> {
  for await (const chunk of chunks) await store(chunk);
  return { output: '[]' };
}
