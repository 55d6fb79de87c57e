/**
 * Reads HTTP/1.1 replies from the bytes of a connection. Each byte is read a fixed number of times: a client that
 * parses all bytes again with each packet needs minutes for a few replies of 10 MB.
 */

export interface Reply {
  readonly status: number;
  readonly body: string;
}

/** How the bytes of a connection ended: the connection was closed, or the client stopped waiting. */
export type Ending = 'closed' | 'silent';

/** The bytes of a connection that are not read yet. */
export class Received {
  #pieces: Buffer[] = [];
  #size = 0;
  #ending: Ending | undefined;
  #news = Promise.withResolvers<void>();

  get ending(): Ending | undefined {
    return this.#ending;
  }

  add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#size += piece.length;
    this.#tell();
  }

  /** Only the first ending counts. */
  end(ending: Ending): void {
    this.#ending ??= ending;
    this.#tell();
  }

  /** Reads a number of bytes. Resolves to undefined if the bytes end before. */
  async take(length: number): Promise<Buffer | undefined> {
    while (this.#size < length) {
      if (this.#ending) return undefined;
      await this.#news.promise;
    }
    const all = this.#joined();
    this.#pieces = [all.subarray(length)];
    this.#size -= length;
    return all.subarray(0, length);
  }

  /** Reads all bytes until the end of the mark. Resolves to undefined if the bytes end before. */
  async takeThrough(mark: string): Promise<Buffer | undefined> {
    for (;;) {
      const at = this.#joined().indexOf(mark);
      if (at >= 0) return this.take(at + mark.length);
      if (this.#ending) return undefined;
      await this.#news.promise;
    }
  }

  /** Reads all bytes until the connection is closed. Resolves to undefined if the client stops waiting before. */
  async takeAll(): Promise<Buffer | undefined> {
    while (!this.#ending) await this.#news.promise;
    return this.#ending === 'closed' ? this.take(this.#size) : undefined;
  }

  #joined(): Buffer {
    const [first = Buffer.alloc(0), ...more] = this.#pieces;
    const all = more.length === 0 ? first : Buffer.concat(this.#pieces);
    this.#pieces = [all];
    return all;
  }

  #tell(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}

const LINE_END = '\r\n';
const HEAD_END = `${LINE_END}${LINE_END}`;

async function chunkedBody(received: Received): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  for (;;) {
    const line = await received.takeThrough(LINE_END);
    if (!line) return undefined;
    const size = Number.parseInt(line.toString('latin1'), 16);
    if (Number.isNaN(size)) throw new Error(`The size of a chunk is ${JSON.stringify(line.toString('latin1'))}.`);
    const chunk = await received.take(size + LINE_END.length);
    if (!chunk) return undefined;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, size));
  }
}

async function bodyAfter(head: string, received: Received): Promise<Buffer | undefined> {
  if (/^transfer-encoding: *chunked/im.test(head)) return chunkedBody(received);
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  return length === undefined ? received.takeAll() : received.take(Number(length));
}

/**
 * Reads the next reply, which can be `100 Continue`. Resolves to undefined if the bytes end before the reply is
 * complete.
 * @param bodyless whether replies have no body, as for `HEAD`
 */
export async function readReply(received: Received, bodyless: boolean): Promise<Reply | undefined> {
  const head = (await received.takeThrough(HEAD_END))?.toString('latin1');
  if (head === undefined) return undefined;
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
  const hasBody = !bodyless && status >= 200 && status !== 204;
  const body = hasBody ? await bodyAfter(head, received) : Buffer.alloc(0);
  return body && { status, body: body.toString('utf8') };
}
