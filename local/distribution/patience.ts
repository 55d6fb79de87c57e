/** The time limits of CloudFront for an origin: until its first byte, and between two bytes. */
import type { Readable } from 'node:stream';

/** The origin did not respond in time. */
export class LateOrigin extends Error {}

export interface Patience {
  /** @throws LateOrigin if the response has not begun in time after the last byte of the request */
  first<Value>(response: Promise<Value>, request: Readable): Promise<Value>;
  /**
   * The chunks of a response. @throws LateOrigin if the next one is late; time that a slow viewer takes does not count
   */
  rest(body: Readable): AsyncGenerator<Buffer, void>;
}

/** @param limit milliseconds */
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
