/** The sending side of a response: a handler's output leaves its thread as fast as the caller reads it. */
import { Writable } from 'node:stream';

/** A part of a response: either the whole, or chunks that are followed by one end or error. */
export type Part =
  | { readonly type: 'whole'; readonly body: string | Uint8Array<ArrayBuffer> }
  | { readonly type: 'chunk'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'end' }
  | { readonly type: 'error'; readonly message: string };

/**
 * A message from the caller: it accepts one more chunk, or it accepts no more and the remaining output is
 * discarded.
 */
export type Demand = 'one more' | 'no more';

/** Maximum size of a chunk, and the approximate size of the buffer on each side, in bytes. */
export const CHUNK = 65_536;

/** Number of chunks of a stream that the thread sends without a demand, so that a small response needs none. */
export const FIRST_DEMAND = 2;

/** Sends a part to the caller. */
export type SendPart = (part: Part) => void;

type Callback = (error?: Error | null) => void;

const isBytes = (chunk: unknown): chunk is string | Uint8Array =>
  typeof chunk === 'string' || chunk instanceof Uint8Array;

export const errorPart = (error: unknown): Part => ({
  type: 'error',
  message: error instanceof Error ? error.message : String(error),
});

/** Lambda's `responseStream`. */
export class ResponseStream extends Writable {
  readonly #sendPart: SendPart;
  #prelude: Uint8Array | undefined;
  #begun: boolean = false;
  #last: Part = { type: 'end' };
  #isHolding: boolean = true;
  readonly #held: Buffer[] = [];
  #released: Promise<void> = Promise.resolve();
  #wanted: number;
  #discarded: boolean = false;
  #resume: () => void = () => undefined;

  /** @param wanted number of chunks that the caller accepts without a demand */
  constructor(send: SendPart, wanted: number) {
    super({ highWaterMark: CHUNK });
    this.#sendPart = send;
    this.#wanted = wanted;
    // An error that the handler does not handle must not stop its thread.
    this.on('error', () => undefined);
  }

  hear(demand: Demand): void {
    if (demand === 'one more') this.#wanted += 1;
    else this.#discarded = true;
    this.#resume();
  }

  /** Sets the content type. In AWS, the runtime sends this type to Lambda, and no caller sees it. */
  setContentType(_type: string): void {
    if (this.#begun) throw new Error('Cannot set content-type, too late.');
  }

  /** Sends these bytes before the first `write`. As in AWS, an `end` without a `write` does not send them. */
  startWith(prelude: Uint8Array): void {
    this.#prelude = prelude;
  }

  override write(chunk: unknown, encoding?: BufferEncoding | Callback, callback?: Callback): boolean {
    if (!this.#begun && this.#prelude) super.write(this.#prelude);
    this.#begun = true;
    return super.write(isBytes(chunk) ? chunk : JSON.stringify(chunk), encoding as BufferEncoding, callback);
  }

  /** Ends the response with an error, after the output so far. An ended response does not change. */
  fail(error: unknown): void {
    if (this.writableEnded) return;
    this.#last = errorPart(error);
    this.end();
  }

  /** Holds the first chunks for a tick: most responses have ended by then, and are sent at once. */
  override _write(chunk: Buffer, _: BufferEncoding, callback: Callback): void {
    if (this.#isHolding && this.#heldBytes() + chunk.length <= CHUNK) {
      if (this.#held.length === 0) process.nextTick(() => !this.writableEnded && void this.#release());
      this.#held.push(chunk);
      callback();
      return;
    }
    void this.#release()
      .then(() => this.#send(chunk))
      .then(() => callback());
  }

  override _final(callback: Callback): void {
    if (this.#isHolding && this.#held.length > 0 && this.#last.type === 'end') {
      this.#isHolding = false;
      this.#sendPart({ type: 'whole', body: new Uint8Array(Buffer.concat(this.#held)) });
      callback();
      return;
    }
    void this.#release().then(() => {
      this.#sendPart(this.#last);
      callback();
    });
  }

  override _destroy(error: Error | null, callback: Callback): void {
    if (!this.writableFinished) this.#sendPart(errorPart(error ?? 'The response stream was destroyed.'));
    callback(error);
  }

  #heldBytes(): number {
    return this.#held.reduce((sum, { length }) => sum + length, 0);
  }

  /** Sends the chunks that are being held. Resolves when they are sent, also if another call sends them. */
  #release(): Promise<void> {
    if (this.#isHolding) {
      this.#isHolding = false;
      this.#released = this.#send(Buffer.concat(this.#held));
    }
    return this.#released;
  }

  async #send(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; at += CHUNK) {
      while (this.#wanted === 0 && !this.#discarded) await this.#demand();
      if (this.#discarded) return;
      this.#wanted -= 1;
      // The chunk is copied, because its memory is transferred to the other thread.
      this.#sendPart({ type: 'chunk', bytes: new Uint8Array(chunk.subarray(at, at + CHUNK)) });
    }
  }

  #demand(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#resume = resolve;
    return promise;
  }
}
