/** Reads the bodies of requests into memory, within limits of size, time and memory. */
import type { Readable } from 'node:stream';
import { RequestBody } from '../core/http/request.ts';
import { SECOND } from '../core/limits.ts';
import { RequestTimeout } from '../core/requests/errors.ts';
import { assertBodyFits, type SubmitOperation } from '../core/submission/request.ts';
import type { Memory } from './memory.ts';
import { bodyReading, timeLeft } from './transfer-limits.ts';

/** An unread request of `node:http`. */
export interface Incoming extends Readable {
  readonly headers: { readonly 'content-length'?: string | undefined };
}

/** The client disconnected before it had sent its whole body, so no response is needed. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAborted';
}

export interface BodyReader {
  /**
   * Reads the whole body. The caller releases the body when it no longer needs the bytes. After an error, the
   * server drops the rest of the body (`dropRest`).
   * @throws PayloadTooLarge before the first byte if Content-Length is too large, otherwise at the first excess
   * byte
   * @throws MemoryFull if the endpoint has no memory for the body, before the first byte if Content-Length is
   * known
   * @throws RequestTimeout if the body arrives too slowly
   * @throws RequestAborted
   */
  read(request: Incoming, operation: SubmitOperation, endpoint: string): Promise<RequestBody>;
}

/**
 * Factor by which a buffer of unknown length grows, so that old and new buffer hold at most 2.5 times the body.
 */
const GROWTH = 1.5;
const FIRST_CAPACITY = 64 * 1024;

/** Bytes in one buffer, which has the declared length or grows. `onCapacity` is called before each allocation. */
class Collected {
  #buffer: Buffer;
  #length = 0;
  readonly #onCapacity: (bytes: number) => void;

  constructor(declared: number | undefined, onCapacity: (bytes: number) => void) {
    const capacity = declared ?? FIRST_CAPACITY;
    onCapacity(capacity);
    this.#onCapacity = onCapacity;
    this.#buffer = Buffer.allocUnsafe(capacity);
  }

  get length(): number {
    return this.#length;
  }

  add(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (length > this.#buffer.length) {
      const capacity = Math.max(length, Math.ceil(this.#buffer.length * GROWTH));
      this.#onCapacity(capacity);
      const larger = Buffer.allocUnsafe(capacity);
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    chunk.copy(this.#buffer, this.#length);
    this.#length = length;
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}

function tooSlow(received: number, rate: number, stall: number): RequestTimeout {
  return new RequestTimeout(
    `The body was too slow: ${received} bytes arrived. Send at least ${rate} bytes/s and pause less than ${stall / SECOND} s.`,
  );
}

/** The slowest pace that a body is allowed. */
interface Pace {
  /** Maximum time without progress, in milliseconds. */
  readonly stall: number;
  /** Minimum bytes per second. */
  readonly rateNow: () => number;
}

/**
 * Declared outside of `collect`, because a listener of the request retains the variables of its scope in memory.
 */
const ignore = () => undefined;

/** Adds the chunks of the body to `collected` until it is complete. */
function collect(
  request: Incoming,
  operation: SubmitOperation,
  collected: Collected,
  { stall, rateNow }: Pace,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const began = performance.now();
  let timer: NodeJS.Timeout;
  const listeners = {
    data(chunk: Buffer) {
      try {
        assertBodyFits(operation, collected.length + chunk.length, false);
        collected.add(chunk);
        awaitMore();
      } catch (error) {
        reject(error);
      }
    },
    end: () => resolve(),
    close: () => reject(new RequestAborted('The client closed the connection before it sent its whole body.')),
    error: (cause: Error) => reject(new RequestAborted('The connection broke before the end of the body.', { cause })),
  };
  function awaitMore(): void {
    clearTimeout(timer);
    const rate = rateNow();
    const left = timeLeft(collected.length, performance.now() - began, rate, stall);
    timer = setTimeout(() => reject(tooSlow(collected.length, rate, stall)), left);
  }

  awaitMore();
  for (const [event, listener] of Object.entries(listeners)) request.on(event, listener);
  return promise.finally(() => {
    clearTimeout(timer);
    for (const [event, listener] of Object.entries(listeners)) request.off(event, listener);
    // Without a listener, a later error of the connection would terminate the process.
    request.on('error', ignore).pause();
  });
}

/**
 * Creates a reader of request bodies.
 * @param memory counts each body from before it is read until its release
 * @param stall maximum time without progress, in milliseconds
 */
export const createBodyReader = (memory: Memory, stall: number = bodyReading.stall): BodyReader => ({
  async read(request, operation, endpoint) {
    if (request.destroyed) throw new RequestAborted('The client has closed the connection.');
    const header = request.headers['content-length'];
    const declared = header === undefined ? undefined : Number(header);
    if (declared !== undefined) assertBodyFits(operation, declared);
    const share = memory.open(endpoint);
    try {
      const collected = new Collected(declared, (bytes) => share.grow(bytes));
      await collect(request, operation, collected, { stall, rateNow: () => memory.rate(endpoint) });
      return new RequestBody(collected.bytes, () => share.release());
    } catch (error) {
      share.release();
      throw error;
    }
  },
});
