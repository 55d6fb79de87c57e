/** The outside of a response: what a function gives, as a stream that asks for it. */
import { Readable } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import { CHUNK, type Demand, type Part } from './response-stream.ts';

/** A function threw, ran out of time, or returned more than a response may hold. The message is that of its error. */
export class FunctionError extends Error {}

/** The event has more bytes than a function takes. It was not called. */
export class EventTooLarge extends Error {}

/** The account runs as many executions as it may. The function was not called: Lambda answers 429. */
export class FunctionThrottled extends Error {
  /** As a state machine sees it. */
  override readonly name = 'Lambda.TooManyRequestsException';
}

/** A call of a function that is under way. */
export interface Call {
  /** What the function returns or writes; fails with a FunctionError. Whoever does not want the rest destroys it. */
  readonly output: Readable;
  /** When the function is done, or given up, whether or not anybody has taken what it gave. */
  readonly over: Promise<void>;
  fail(error: FunctionError): void;
}

/** @param limit bytes that the response may have */
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
  // Whoever reads it is told; nobody has to.
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
