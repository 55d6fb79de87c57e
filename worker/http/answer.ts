/** From the answer of the user's HTTP server to the end of a job. */
import type { IncomingMessage } from 'node:http';
import { TextDecoder } from 'node:util';
import type { Report } from '../../core/jobs/finish.ts';
import { payloadLimits } from '../../core/limits.ts';
import { eventData, jsonFrom, jsonLines } from './chunks.ts';
import { UnusableAnswer } from './server-call.ts';

/** Of an answer that is an error, so much becomes the error of the job. */
const SHOWN_BYTES = 8 * 1024;

/** `text/plain; charset=x` and its like. */
const MEDIA_TYPE = /^\s*(?<type>[^;\s]*)\s*(?:;.*?charset="?(?<charset>[^";\s]+))?/i;

/** @throws UnusableAnswer if there is no such encoding */
function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new UnusableAnswer(`sent text in an unknown encoding, ${charset}`);
  }
}

/** @throws UnusableAnswer if a byte is not of the encoding */
function decode(decoder: TextDecoder, bytes?: Buffer): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch {
    throw new UnusableAnswer(`sent bytes that are not ${decoder.encoding}`);
  }
}

async function* textOf(response: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = decoderOf('utf-8');
  for await (const bytes of response) yield decode(decoder, bytes);
  yield decode(decoder);
}

/** Reads all of it, and keeps it if it is not too large. */
async function bodyOf(response: AsyncIterable<Buffer>): Promise<{ readonly size: number; readonly bytes?: Buffer }> {
  const kept: Buffer[] = [];
  let size = 0;
  for await (const bytes of response) {
    size += bytes.length;
    if (size <= payloadLimits.output) kept.push(bytes);
    else kept.length = 0;
  }
  return size <= payloadLimits.output ? { size, bytes: Buffer.concat(kept) } : { size };
}

/** Reads no more than is shown. */
async function beginningOf(response: AsyncIterable<Buffer>): Promise<string> {
  const kept: Buffer[] = [];
  let size = 0;
  for await (const bytes of response) {
    kept.push(bytes);
    size += bytes.length;
    if (size >= SHOWN_BYTES) break;
  }
  return Buffer.concat(kept).subarray(0, SHOWN_BYTES).toString().trim();
}

async function stored(chunks: AsyncIterable<string>, store: (chunk: string) => Promise<void>): Promise<Report> {
  // One after the other: while a chunk is being stored, the server is not read.
  for await (const chunk of chunks) await store(chunk);
  return { output: '[]' };
}

/**
 * Reads the answer to its end.
 * @param store stores a chunk, JSON text
 * @throws UnusableAnswer, and what cuts the answer off
 */
export async function reportFrom(response: IncomingMessage, store: (chunk: string) => Promise<void>): Promise<Report> {
  const { statusCode = 0, statusMessage = '', headers } = response;
  if (statusCode < 200 || statusCode > 299) {
    const status = [statusCode, statusMessage].filter(Boolean).join(' ');
    const said = await beginningOf(response);
    return { error: `The server answered ${status}${said && `: ${said}`}` };
  }

  const { type = '', charset = 'utf-8' } = MEDIA_TYPE.exec(headers['content-type']?.toLowerCase() ?? '')?.groups ?? {};
  if (type === 'application/x-ndjson' || type === 'application/jsonl')
    return stored(jsonLines(textOf(response)), store);
  if (type === 'text/event-stream') return stored(eventData(textOf(response)), store);

  const isJson = type === 'application/json' || type.endsWith('+json');
  const isText = type.startsWith('text/');
  if (!isJson && !isText) {
    if ((await beginningOf(response)) === '') return {};
    const must = 'only JSON, text, lines of JSON and server-sent events can be an output';
    throw new UnusableAnswer(`answered with ${type || 'no content type'}: ${must}`);
  }
  const { size, bytes } = await bodyOf(response);
  if (size === 0 || !bytes) return size === 0 ? {} : { size };
  const text = decode(decoderOf(isJson ? 'utf-8' : charset), bytes);
  return { output: isJson ? jsonFrom(text, 'an answer') : JSON.stringify(text) };
}
