/** The response of a function: a stream that requests its chunks from the thread. */
import { Readable } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import { CHUNK, type Demand, type Part } from './response-stream.ts';

/**
 * Error of a call whose function threw, timed out, or returned a response that is too large. The message is that of
 * the function's error.
 */
export class FunctionError extends Error {}

/** Error of a call whose event is larger than a function accepts. The function was not called. */
export class EventTooLarge extends Error {}

/** Error of a call beyond the concurrency limit, to which Lambda responds with 429. The function was not called. */
export class FunctionThrottled extends Error {
  /** The error name that a state machine sees. */
  override readonly name = 'Lambda.TooManyRequestsException';
}

/** A function call in progress. */
export interface Call {
  /**
   * The bytes that the function returns or writes. The stream fails with a FunctionError. A reader that does not
   * want the rest destroys the stream.
   */
  readonly output: Readable;
  /** Resolves when the function has finished or is abandoned, even if its output is not read. */
  readonly over: Promise<void>;
  fail(error: FunctionError): void;
}

/** Receives the response from the thread. @param limit maximum size of a response, in bytes */
export function receive(port: MessagePort, limit: number): Call {
  const say = (demand: Demand) => port.postMessage(demand);
  const output = new Readable({
    highWaterMark: CHUNK,
    read: () => say('one more'),
    destroy(error, callback) {
      say('no more');
      callback(error);
    },
  });
  // A reader gets the error; without a reader, the error must not stop the process.
  output.on('error', () => undefined);

  const { promise: over, resolve } = Promise.withResolvers<void>();
  const fail = (error: FunctionError) => {
    output.destroy(error);
    port.close();
    resolve();
  };
  let size = 0;
  port.on('message', (part: Part) => {
    if (part.type === 'error') {
      fail(new FunctionError(part.message));
    } else if (part.type === 'end') {
      output.push(null);
      port.close();
      resolve();
    } else {
      size += part.bytes.length;
      if (size <= limit) output.push(part.bytes);
      else
        output.destroy(
          new FunctionError(`Response payload size exceeded maximum allowed payload size (${limit} bytes).`),
        );
    }
  });
  return { output, over, fail };
}
