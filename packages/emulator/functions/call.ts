/** A call of a function in progress: receives the response from the thread, as a whole or as a stream. */
import { Readable } from 'node:stream';
import { CHUNK, type Demand, FIRST_DEMAND, type Part } from './response-stream.ts';

/**
 * Error of a call whose function threw, timed out, or returned a response that is too large. The message is that of
 * the function's error.
 */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
}

/** Error of a call whose event is larger than a function accepts. The function was not called. */
export class EventTooLarge extends Error {
  override readonly name = 'EventTooLarge';
}

/** Error of a call beyond the concurrency limit, to which Lambda responds with 429. The function was not called. */
export class FunctionThrottled extends Error {
  /** The error name that a state machine sees. */
  override readonly name = 'Lambda.TooManyRequestsException';
}

/** A function call in progress. */
export interface Call {
  /** Number of chunks that the thread may send at once. */
  readonly demand: number;
  /**
   * Resolves when the function has finished or is abandoned, even if its output is not read, with whether it has
   * succeeded.
   */
  readonly over: Promise<boolean>;
  /** Sets how the call requests chunks, once it has a thread. */
  connect(request: (demand: Demand) => void): void;
  receive(part: Part): void;
  fail(error: FunctionError): void;
}

const tooLarge = (limit: number) =>
  new FunctionError(`Response payload size exceeded maximum allowed payload size (${limit} bytes).`);

export interface WholeCall extends Call {
  /** The response as text. Rejects with a FunctionError. */
  readonly text: Promise<string>;
}

/**
 * Receives a response as a whole.
 * @param limit maximum size of a response, in bytes
 */
export function receiveWhole(limit: number): WholeCall {
  const { promise: text, resolve, reject } = Promise.withResolvers<string>();
  const { promise: over, resolve: isOver } = Promise.withResolvers<boolean>();
  const chunks: Uint8Array[] = [];
  let size = 0;
  /** @returns whether the response has not become too large. The rest of a response that is too large is dropped. */
  const accepts = (bytes: number): boolean => {
    size += bytes;
    if (size > limit) reject(tooLarge(limit));
    return size <= limit;
  };
  const fail = (error: FunctionError) => {
    reject(error);
    isOver(false);
  };
  const end = (body: string | Uint8Array) => {
    resolve(typeof body === 'string' ? body : Buffer.from(body).toString());
    isOver(size <= limit);
  };
  return {
    demand: Number.POSITIVE_INFINITY,
    over,
    text,
    connect: () => undefined,
    receive(part) {
      if (part.type === 'error') return fail(new FunctionError(part.message));
      if (part.type === 'end') return end(Buffer.concat(chunks));
      if (part.type === 'whole') {
        accepts(Buffer.byteLength(part.body));
        return end(part.body);
      }
      if (accepts(part.bytes.length)) chunks.push(part.bytes);
    },
    fail,
  };
}

export interface StreamedCall extends Call {
  /**
   * The bytes that the function returns or writes. The stream fails with a FunctionError. A reader that does not
   * want the rest destroys the stream.
   */
  readonly output: Readable;
  /**
   * Resolves when the response begins: with the whole output if the function has already finished, and otherwise, or
   * if the stream fails, with undefined.
   */
  readonly whole: Promise<Buffer | undefined>;
}

/**
 * Receives a response as a stream.
 * @param limit maximum size of a response, in bytes
 */
export function receiveStream(limit: number): StreamedCall {
  let request: (demand: Demand) => void = () => undefined;
  /** Number of chunks that the thread may still send. */
  let expected = FIRST_DEMAND;
  let isOver = false;
  const { promise: over, resolve } = Promise.withResolvers<boolean>();
  const { promise: whole, resolve: resolveWhole } = Promise.withResolvers<Buffer | undefined>();
  const finish = (succeeded: boolean) => {
    isOver = true;
    resolve(succeeded);
  };
  const output = new Readable({
    highWaterMark: CHUNK,
    read() {
      if (expected === FIRST_DEMAND) return;
      expected += 1;
      // Most responses have ended by then, and their threads are not woken for nothing.
      setImmediate(() => !isOver && request('one more'));
    },
    destroy(error, callback) {
      if (!isOver) request('no more');
      callback(error);
    },
  });
  // A reader gets the error; without a reader, the error must not stop the process.
  output.on('error', () => undefined);
  output.once('close', () => resolveWhole(undefined));
  let size = 0;
  const push = (bytes: Uint8Array) => {
    size += bytes.length;
    if (size <= limit) output.push(bytes);
    else output.destroy(tooLarge(limit));
  };
  const fail = (error: FunctionError) => {
    finish(false);
    output.destroy(error);
  };
  const end = () => {
    finish(size <= limit);
    output.push(null);
  };
  return {
    demand: FIRST_DEMAND,
    over,
    output,
    whole,
    connect(how) {
      request = how;
      if (output.destroyed) request('no more');
    },
    receive(part) {
      if (part.type === 'chunk') {
        expected -= 1;
        resolveWhole(undefined);
        return push(part.bytes);
      }
      if (part.type === 'error') return fail(new FunctionError(part.message));
      if (part.type === 'whole') {
        const body = Buffer.from(part.body);
        if (body.length <= limit) resolveWhole(body);
        push(body);
      }
      end();
    },
    fail,
  };
}
