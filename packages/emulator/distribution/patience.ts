/** The timeouts of CloudFront for an origin: until the first byte, and between two bytes. */
import type { Readable } from 'node:stream';

/** The origin did not respond in time. */
export class LateOrigin extends Error {
  override readonly name = 'LateOrigin';
}

export interface Patience {
  /**
   * Waits for the response to begin.
   * @throws LateOrigin if it has not begun in time after the last byte of the request
   */
  first<Value>(response: Promise<Value>, request: Readable): Promise<Value>;
  /**
   * Yields the chunks of a response. The time that a slow viewer takes is not counted.
   * @throws LateOrigin if the next chunk is late
   */
  rest(body: Readable): AsyncGenerator<Buffer, void>;
}

/**
 * Creates the timeouts of one request.
 * @param limit milliseconds
 */
export function patience(limit: number): Patience {
  async function inTime<Value>(work: Promise<Value>, begin: (start: () => void) => () => void): Promise<Value> {
    const late = Promise.withResolvers<never>();
    let timer: NodeJS.Timeout | undefined;
    const cancel = begin(() => {
      timer = setTimeout(() => late.reject(new LateOrigin()), limit);
    });
    return Promise.race([work, late.promise]).finally(() => {
      cancel();
      clearTimeout(timer);
    });
  }

  const atOnce = (start: () => void) => {
    start();
    return () => undefined;
  };
  return {
    first: (response, request) =>
      inTime(response, (start) => {
        if (request.readableEnded) return atOnce(start);
        request.once('end', start);
        return () => request.off('end', start);
      }),
    async *rest(body) {
      const chunks: AsyncIterator<Buffer, void> = body[Symbol.asyncIterator]();
      for (;;) {
        const { value, done } = await inTime(chunks.next(), atOnce);
        if (done) return;
        yield value;
      }
    },
  };
}
