/** Converts the stream of a function into a response: metadata as JSON, eight zero bytes, then the body. */
import { Readable } from 'node:stream';
import { DELIMITER } from '../functions/awslambda.ts';
import { type HttpAnswer, Refusal } from './gateway-response.ts';
import { answerFrom } from './proxy-response.ts';

/** Maximum size of the metadata and the delimiter, in bytes. */
const PRELUDE_LIMIT = 16 * 1024;

/** Header of a streamed response, whose length is unknown when it begins. */
export const CHUNKED = ['Transfer-Encoding', 'chunked'] as const;

type Chunks = AsyncIterator<Buffer, void>;

/**
 * Reads up to the delimiter.
 * @throws Refusal if the delimiter is missing
 */
async function readPrelude(chunks: Chunks): Promise<{ metadata: string; rest: Buffer }> {
  let read: Buffer = Buffer.alloc(0);
  while (read.length < PRELUDE_LIMIT) {
    const { value, done } = await chunks.next();
    if (done) break;
    read = Buffer.concat([read, value]);
    const end = read.subarray(0, PRELUDE_LIMIT).indexOf(DELIMITER);
    if (end >= 0) return { metadata: read.toString('utf8', 0, end), rest: read.subarray(end + DELIMITER.length) };
  }
  throw new Refusal('INTEGRATION_MALFORMED');
}

/** Yields the rest of the output, and closes the output at the end. */
function bodyOf(output: Readable, first: Buffer, chunks: Chunks): Readable {
  const body = new Readable({
    read() {
      chunks.next().then(
        ({ value, done }) => body.push(done ? null : value),
        (error: Error) => body.destroy(error),
      );
    },
    destroy(error, callback) {
      output.destroy();
      callback(error);
    },
  });
  // The sender of the body gets the error. Until the body is sent, the error must not stop the process.
  body.on('error', () => undefined);
  if (first.length > 0) body.push(first);
  return body;
}

/**
 * Converts an output that is complete.
 * @throws Refusal if the output does not begin with metadata in the format that API Gateway requires
 */
export function wholeResponse(output: Buffer): HttpAnswer {
  const end = output.subarray(0, PRELUDE_LIMIT).indexOf(DELIMITER);
  if (end < 0) throw new Refusal('INTEGRATION_MALFORMED');
  const { status, headers } = answerFrom(output.toString('utf8', 0, end));
  return { status, headers: [...headers, CHUNKED], body: output.subarray(end + DELIMITER.length) };
}

/**
 * Converts the output.
 * @returns as soon as the metadata has arrived
 * @throws Refusal if the output does not begin with metadata in the format that API Gateway requires
 */
export async function streamedResponse(output: Readable): Promise<HttpAnswer> {
  const chunks: Chunks = output[Symbol.asyncIterator]();
  try {
    const { metadata, rest } = await readPrelude(chunks);
    return { ...answerFrom(metadata), body: bodyOf(output, rest, chunks) };
  } catch (error) {
    output.destroy();
    throw error;
  }
}
