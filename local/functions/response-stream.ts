/** The inside of a response: what a handler gives leaves its thread as fast as the caller takes it. */
import { Writable } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';

/** What leaves the thread, in this order: chunks, then one end or error. */
export type Part =
  | { readonly type: 'chunk'; readonly bytes: Uint8Array }
  | { readonly type: 'end' }
  | { readonly type: 'error'; readonly message: string };

/** What the caller says: that it takes one more chunk, or that it takes no more and what is still to come is lost. */
export type Demand = 'one more' | 'no more';

/** Bytes of the largest chunk, and about what is held on either side while the other one is busy. */
export const CHUNK = 65_536;

type Callback = (error?: Error | null) => void;

const isBytes = (chunk: unknown): chunk is string | Uint8Array =>
  typeof chunk === 'string' || chunk instanceof Uint8Array;

const errorPart = (error: unknown): Part => ({
  type: 'error',
  message: error instanceof Error ? error.message : String(error),
});

/** Lambda's `responseStream`. A result that a handler returns goes through it too. */
export class ResponseStream extends Writable {
  readonly #port: MessagePort;
  #prelude: Uint8Array | undefined;
  #begun: boolean = false;
  #last: Part = { type: 'end' };
  #wanted = 0;
  #discarded: boolean = false;
  #resume: () => void = () => undefined;

  constructor(port: MessagePort) {
    super({ highWaterMark: CHUNK });
    this.#port = port;
    port.on('message', (demand: Demand) => {
      if (demand === 'one more') this.#wanted += 1;
      else this.#discarded = true;
      this.#resume();
    });
    // A handler that does not listen must not take its thread down with it.
    this.on('error', () => undefined);
  }

  /** In AWS the type of what the runtime sends to Lambda; no caller sees it. */
  setContentType(_type: string): void {
    if (this.#begun) throw new Error('Cannot set content-type, too late.');
  }

  /** Sends these bytes ahead of the first `write`. As in AWS, an `end` without a `write` does not bring them. */
  startWith(prelude: Uint8Array): void {
    this.#prelude = prelude;
  }

  override write(chunk: unknown, encoding?: BufferEncoding | Callback, callback?: Callback): boolean {
    if (!this.#begun && this.#prelude) super.write(this.#prelude);
    this.#begun = true;
    return super.write(isBytes(chunk) ? chunk : JSON.stringify(chunk), encoding as BufferEncoding, callback);
  }

  /** Ends the response with an error, after what has been written. One that has ended stays as it is. */
  fail(error: unknown): void {
    if (this.writableEnded) return;
    this.#last = errorPart(error);
    this.end();
  }

  override _write(chunk: Buffer, _: BufferEncoding, callback: Callback): void {
    void this.#send(chunk).then(() => callback());
  }

  override _final(callback: Callback): void {
    this.#port.postMessage(this.#last);
    callback();
  }

  override _destroy(error: Error | null, callback: Callback): void {
    if (!this.writableFinished) this.#port.postMessage(errorPart(error ?? 'The response stream was destroyed.'));
    callback(error);
  }

  async #send(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; at += CHUNK) {
      while (this.#wanted === 0 && !this.#discarded) await this.#demand();
      if (this.#discarded) return;
      this.#wanted -= 1;
      // A copy, because its memory moves over to the other side.
      const bytes = new Uint8Array(chunk.subarray(at, at + CHUNK));
      this.#port.postMessage({ type: 'chunk', bytes } satisfies Part, [bytes.buffer]);
    }
  }

  #demand(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#resume = resolve;
    return promise;
  }
}
