/** Reads the body of a request within limits of size and time. */
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** API Gateway's limit for the body of a request, in bytes. */
export const BODY_LIMIT = 10 * 1024 * 1024;

/** The body arrives too slowly. */
export class SlowBody extends Error {
  override readonly name = 'SlowBody';
  /** Number of bytes that arrived. */
  readonly received: number;

  constructor(received: number) {
    super(`The body was too slow: ${received} bytes arrived.`);
    this.received = received;
  }
}

/** The slowest pace of a body, and the clock that measures it. */
export interface Pace {
  /** Maximum time without a byte, in milliseconds. */
  readonly stall: number;
  /** Minimum bytes per second after the first `stall`. */
  readonly rate: number;
  /** Returns milliseconds. */
  readonly now: () => number;
  /**
   * Waits for this number of milliseconds, until the signal is aborted.
   * @default - real time
   */
  readonly pause?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
}

const realPause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, { signal, ref: false });

/**
 * Reads the body to its end even if it is too large, because a client that is still sending does not read the
 * response.
 * @param pace the slowest pace of a body; without it, the body can take any time
 * @returns undefined if the body is larger than `BODY_LIMIT`
 * @throws SlowBody, or the error of a connection that breaks
 */
export async function readBody(body: Readable, pace?: Pace): Promise<Buffer | undefined> {
  if (body.destroyed && !body.readableEnded) throw new Error('The connection is closed.');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const ended = new AbortController();
  const chunks: Buffer[] = [];
  let size = 0;
  let lastAt = pace?.now() ?? 0;

  const listeners = {
    data(chunk: Buffer) {
      size += chunk.length;
      lastAt = pace?.now() ?? 0;
      if (size <= BODY_LIMIT) chunks.push(chunk);
    },
    end: () => resolve(),
    error: reject,
    close: () => reject(new Error('The client closed the connection before it had sent its whole body.')),
  };
  async function watch({ stall, rate, now, pause = realPause }: Pace): Promise<void> {
    const began = now();
    while (!ended.signal.aborted) {
      const left = Math.min(lastAt + stall, began + stall + (size / rate) * 1_000) - now();
      if (left <= 0) return reject(new SlowBody(size));
      await pause(left, ended.signal);
    }
  }

  for (const [event, listener] of Object.entries(listeners)) body.on(event, listener);
  if (pace) watch(pace).catch((error: unknown) => ended.signal.aborted || reject(error));
  try {
    await promise;
  } finally {
    ended.abort();
    for (const [event, listener] of Object.entries(listeners)) body.off(event, listener);
  }
  return size > BODY_LIMIT ? undefined : Buffer.concat(chunks);
}
