/**
 * Gives functions the global `awslambda` of Lambda's Node.js runtime, which the emulator's runtime lacks. It is
 * loaded into each function's process before the function. A streamed response is collected and returned as a
 * whole, so the rehearsal does not test that it arrives in pieces.
 */
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';

interface Metadata {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

class Collected extends Writable {
  readonly #pieces: Buffer[] = [];
  metadata: Metadata = {};

  setContentType(): void {
    // The content type is among the headers of the metadata.
  }

  override _write(piece: Buffer | string, encoding: BufferEncoding, done: () => void): void {
    this.#pieces.push(typeof piece === 'string' ? Buffer.from(piece, encoding) : piece);
    done();
  }

  get text(): string {
    return Buffer.concat(this.#pieces).toString('utf8');
  }
}

type StreamingHandler = (event: unknown, stream: Collected, context: unknown) => Promise<void>;

const awslambda = {
  streamifyResponse: (handler: StreamingHandler) => async (event: unknown, context: unknown) => {
    const stream = new Collected();
    await Promise.all([handler(event, stream, context), finished(stream)]);
    const { statusCode = 200, headers = {} } = stream.metadata;
    return { statusCode, headers, body: stream.text };
  },

  HttpResponseStream: {
    from: (stream: Collected, metadata: Metadata) => Object.assign(stream, { metadata }),
  },
};

Object.assign(globalThis, { awslambda });
